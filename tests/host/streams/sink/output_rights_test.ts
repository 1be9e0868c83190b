import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { FileError } from "../../../../base/errors/file_error.ts";
import { OutputFile } from "../../../../streams/sink/output_file.ts";
import { keptMode, takeRights } from "../../../../streams/sink/output_rights.ts";
import { write } from "../../../../streams/files/write.ts";
import { inFolder, wordsBatch, writeAll } from "../../../support/values/streams_samples.ts";

const ignore = Deno.build.os === "windows";
const isRoot = Deno.build.os !== "windows" && Deno.uid() === 0;
const nobody = 65_534;

const namesIn = (folder: string) =>
  [...Deno.readDirSync(folder)].map(({ name }) => name).toSorted();
const modeOf = (path: string) => (Deno.lstatSync(path).mode! & 0o777).toString(8);

/** Replaces a file, and gives the mode that the new one had before any byte was in it. */
async function replace(path: string): Promise<string> {
  const output = await OutputFile.create(path);
  const folder = path.slice(0, path.lastIndexOf("/"));
  const partial = namesIn(folder).find((name) => name.endsWith(".partial"))!;
  const { size } = Deno.statSync(`${folder}/${partial}`);
  assertEquals(size, 0);
  const before = modeOf(`${folder}/${partial}`);
  await output.write([new TextEncoder().encode("new")]);
  await output.commit();
  assertEquals(await Deno.readTextFile(path), "new");
  return before;
}

/** Runs a module that creates outputs as another user, without the rights of root; gives its text. */
async function asNobody(folder: string, body: string): Promise<string> {
  const module = import.meta.resolve("../../../../streams/sink/output_file.ts");
  const script = `import process from "node:process";
    import { OutputFile } from "${module}";
    process.setegid(${nobody});
    process.seteuid(${nobody});
    ${body}`;
  await Deno.writeTextFile(`${folder}/script.ts`, script);
  const config = new URL("../../../../deno.json", import.meta.url).pathname;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-q", "-A", "--no-check", `--config=${config}`, "script.ts"],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}

Deno.test({
  name: "a file that replaces another has its mode before any byte is in it",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.csv`;
      for (const mode of [0o600, 0o640, 0o644, 0o664, 0o666, 0o755, 0o604, 0o200]) {
        await Deno.writeTextFile(path, "old");
        await Deno.chmod(path, mode);
        const readable = mode & 0o400 ? await replace(path) : undefined;
        if (readable === undefined) await writeAll(write(path), [wordsBatch(["a"])]);
        else assertEquals(readable, mode.toString(8));
        assertEquals(modeOf(path), mode.toString(8));
        await Deno.remove(path);
      }
    }),
});

Deno.test({
  name: "a new file obeys the mask of the user",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      for (const [mask, mode] of [[0o077, "600"], [0o027, "640"], [0o022, "644"], [0, "666"]]) {
        const before = Deno.umask(mask as number);
        try {
          const path = `${folder}/out-${mode}.csv`;
          await writeAll(write(path), [wordsBatch(["a"])]);
          assertEquals(modeOf(path), mode);
        } finally {
          Deno.umask(before);
        }
      }
    }),
});

Deno.test({
  name: "a file that replaces another has its owner and its group",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      const path = `${folder}/out.csv`;
      await Deno.writeTextFile(path, "old");
      await Deno.chown(path, 1234, 5678);
      await Deno.chmod(path, 0o4640);
      assertEquals(await replace(path), "640");
      const { uid, gid, mode } = await Deno.stat(path);
      assertEquals([uid, gid, mode! & 0o7777], [1234, 5678, 0o640]);
    }),
});

Deno.test("without the group nobody may do more than before", () => {
  for (
    const [mode, kept] of [
      [0o640, 0o600],
      [0o644, 0o644],
      [0o664, 0o644],
      [0o604, 0o600],
      [0o660, 0o600],
      [0o666, 0o666],
      [0o755, 0o755],
      [0o751, 0o711],
    ] as const
  ) {
    assertEquals(keptMode(mode, false).toString(8), kept.toString(8));
    assertEquals(keptMode(mode, true), mode);
  }
});

Deno.test({
  name: "who may not give a file away keeps it, and makes it no wider",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.chmod(folder, 0o777);
      const modes = [0o666, 0o662, 0o646, 0o626];
      for (const mode of modes) {
        const path = `${folder}/${mode.toString(8)}.csv`;
        await Deno.writeTextFile(path, "old");
        await Deno.chown(path, 1234, 5678);
        await Deno.chmod(path, mode);
      }
      const names = modes.map((mode) => `${mode.toString(8)}.csv`);
      const printed = await asNobody(
        folder,
        `for (const name of ${JSON.stringify(names)}) {
          const output = await OutputFile.create(name);
          await output.write([new TextEncoder().encode("new")]);
          await output.commit();
        }`,
      );
      assertEquals(printed, "");
      for (const [i, kept] of ["666", "622", "644", "622"].entries()) {
        const path = `${folder}/${names[i]}`;
        const { uid, gid } = await Deno.stat(path);
        assertEquals([uid, gid, modeOf(path)], [nobody, nobody, kept], names[i]);
      }
    }),
});

Deno.test({
  name: "who may not write a file, or its folder, may not replace it",
  ignore: !isRoot,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.chmod(folder, 0o777);
      await Deno.mkdir(`${folder}/closed`);
      await Deno.writeTextFile(`${folder}/closed/open.csv`, "old");
      await Deno.chmod(`${folder}/closed/open.csv`, 0o666);
      await Deno.writeTextFile(`${folder}/mine.csv`, "old");
      await Deno.chown(`${folder}/mine.csv`, nobody, nobody);
      await Deno.chmod(`${folder}/mine.csv`, 0o400);
      await Deno.writeTextFile(`${folder}/theirs.csv`, "old");
      const files = ["mine.csv", "theirs.csv", "closed/open.csv", "closed/new.csv"];
      const printed = await asNobody(
        folder,
        `for (const name of ${JSON.stringify(files)}) {
          await OutputFile.create(name).catch((error) => console.log(error.message));
        }
        for (const name of ["mine.csv", "theirs.csv"]) {
          await OutputFile.check(name).catch((error) => console.log(error.message));
        }`,
      );
      const refused = (name: string) => `${name}: may not be written, so it is not replaced\n`;
      const closed = "cannot be written, files may not be added to the folder closed";
      assertEquals(
        printed,
        refused("mine.csv") + refused("theirs.csv") + `closed/open.csv: ${closed}\n` +
          `closed/new.csv: ${closed}\n` + refused("mine.csv") + refused("theirs.csv"),
      );
      for (const name of files.slice(0, 3)) {
        assertEquals(await Deno.readTextFile(`${folder}/${name}`), "old");
      }
    }),
});

Deno.test({
  name: "links are followed: what they lead to is replaced, or made, and they stay",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.mkdir(`${folder}/far`);
      await Deno.writeTextFile(`${folder}/far/real.csv`, "old");
      await Deno.chmod(`${folder}/far/real.csv`, 0o640);
      await Deno.symlink("far", `${folder}/near`);
      const links = {
        "a.csv": "far/real.csv",
        "b.csv": "a.csv",
        "c.csv": `${folder}/near/real.csv`,
        "d.csv": "near/../far/real.csv",
      };
      for (const [name, target] of Object.entries(links)) {
        await Deno.symlink(target, `${folder}/${name}`);
        await Deno.writeTextFile(`${folder}/far/real.csv`, "old");
        await writeAll(write(`${folder}/${name}`), [wordsBatch([name])]);
        assertEquals(await Deno.readLink(`${folder}/${name}`), target);
        assertEquals(await Deno.readTextFile(`${folder}/far/real.csv`), `id,word\n0,${name}\n`);
        assertEquals(modeOf(`${folder}/far/real.csv`), "640");
      }
      await Deno.symlink("far/made.csv", `${folder}/dangling.csv`);
      await writeAll(write(`${folder}/dangling.csv`), [wordsBatch(["x"])]);
      assertEquals(await Deno.readLink(`${folder}/dangling.csv`), "far/made.csv");
      assertEquals(await Deno.readTextFile(`${folder}/far/made.csv`), "id,word\n0,x\n");
      assertEquals(namesIn(`${folder}/far`), ["made.csv", "real.csv"]);
    }),
});

Deno.test({
  name: "links that lead nowhere are errors, and a second name of a file keeps the old rows",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.symlink("loop.csv", `${folder}/loop.csv`);
      await Deno.symlink("none/out.csv", `${folder}/lost.csv`);
      await Deno.symlink(".", `${folder}/folder.csv`);
      for (
        const [name, problem] of [
          ["loop.csv", "is a link that leads to itself"],
          ["lost.csv", `cannot be written: the folder ${folder}/none does not exist`],
          ["folder.csv", "is a folder, not a file"],
        ] as const
      ) {
        const path = `${folder}/${name}`;
        const error = await assertRejects(() => writeAll(write(path), [wordsBatch(["a"])]));
        assert(error instanceof FileError);
        assertEquals(error.message, `${path}: ${problem}`);
        await assertRejects(() => OutputFile.create(path), FileError, problem);
      }
      await Deno.writeTextFile(`${folder}/one.csv`, "old");
      await Deno.link(`${folder}/one.csv`, `${folder}/two.csv`);
      await writeAll(write(`${folder}/one.csv`), [wordsBatch(["a"])]);
      assertEquals(await Deno.readTextFile(`${folder}/two.csv`), "old");
      assertEquals(await Deno.readTextFile(`${folder}/one.csv`), "id,word\n0,a\n");
    }),
});

Deno.test({
  name: "a partial file is made where nothing is, and never through a link",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/secret`, "secret");
      await Deno.symlink("secret", `${folder}/.out.csv.01234567.partial`);
      const { randomUUID } = crypto;
      crypto.randomUUID = () => "01234567-0000-0000-0000-000000000000";
      try {
        await assertRejects(() => OutputFile.create(`${folder}/out.csv`), FileError, "exists");
      } finally {
        crypto.randomUUID = randomUUID;
      }
      assertEquals(await Deno.readTextFile(`${folder}/secret`), "secret");
      assertEquals(namesIn(folder), [".out.csv.01234567.partial", "secret"]);
    }),
});

Deno.test({
  name: "rights are given to the file that was begun, and to no other under its name",
  ignore,
  fn: () =>
    inFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/old`, "");
      await Deno.chmod(`${folder}/old`, 0o666);
      await Deno.writeTextFile(`${folder}/begun`, "");
      await Deno.writeTextFile(`${folder}/secret`, "");
      await Deno.chmod(`${folder}/secret`, 0o600);
      const [old, begun] = [Deno.statSync(`${folder}/old`), Deno.statSync(`${folder}/begun`)];
      assertThrows(() => takeRights(`${folder}/secret`, begun, old), Error, "another file");
      await Deno.symlink("secret", `${folder}/link`);
      assertThrows(() => takeRights(`${folder}/link`, begun, old));
      assertEquals(modeOf(`${folder}/secret`), "600");
    }),
});

Deno.test("a name of any length that the system takes can be written", () =>
  inFolder(async (folder) => {
    for (const stem of ["x".repeat(251), "é".repeat(125), "𝄞".repeat(62)]) {
      const path = `${folder}/${stem}.csv`;
      await writeAll(write(path), [wordsBatch(["a"])]);
      assertEquals(namesIn(folder), [`${stem}.csv`]);
      await Deno.remove(path);
    }
    await assertRejects(
      async () => await writeAll(write("", { format: "csv" }), [wordsBatch(["a"])]),
      TypeError,
      "not an empty text",
    );
    const error = await assertRejects(() =>
      writeAll(write(`${folder}/new/`, { format: "csv" }), [wordsBatch(["a"])])
    );
    assertEquals((error as Error).message, `${folder}/new/: is a folder, not a file`);
  }));
