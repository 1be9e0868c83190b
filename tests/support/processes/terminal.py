"""Runs a command on a pseudo terminal: stdin, stdout and stderr are one, as a person has it.

Arguments: columns, the text after which Ctrl-C is typed (or nothing), the command. Prints JSON: the exit status, and
each piece of output with the seconds since the start.
"""
import fcntl, json, os, pty, select, signal, struct, sys, termios, time

columns, interrupt, command = int(sys.argv[1]), sys.argv[2].encode(), sys.argv[3:]
LIMIT = 120

start = time.monotonic()
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 30, columns, 0, 0))
    os.execvp(command[0], command)

pieces, interrupted = [], False
while True:
    elapsed = time.monotonic() - start
    if elapsed > LIMIT:
        os.kill(pid, signal.SIGKILL)
    ready, _, _ = select.select([terminal], [], [], 0.02)
    if ready:
        try:
            data = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not data:
            break
        pieces.append([time.monotonic() - start, data.decode("latin-1")])
        if interrupt and not interrupted and interrupt in data:
            os.write(terminal, b"\x03")
            interrupted = True
        if b"Allow?" in data:  # Deno asks for a permission
            os.kill(pid, signal.SIGKILL)
_, status = os.waitpid(pid, 0)
json.dump({"status": os.waitstatus_to_exitcode(status), "pieces": pieces}, sys.stdout)
