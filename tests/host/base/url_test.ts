import { assertEquals } from "@std/assert";
import { FileError } from "../../../base/errors/file_error.ts";
import { fileNameOf, hasScheme, isUrl, localPath, nameOfUrl } from "../../../base/url.ts";

/** A URL or path, what anyone may see of it, and the name of the file. */
const cases: readonly [path: string, isUrl: boolean, name: string, file: string][] = [
  ["https://h/a.arrow", true, "https://h/a.arrow", "a.arrow"],
  ["HTTP://h:8000/b/a.csv?key=s#p", true, "HTTP://h:8000/b/a.csv", "a.csv"],
  ["https://me:word@h/a.csv", true, "https://h/a.csv", "a.csv"],
  ["https://me@h/a@b.csv?x=/c.parquet", true, "https://h/a@b.csv", "a@b.csv"],
  ["https://h?x=/a.csv", true, "https://h", ""],
  ["https://h", true, "https://h", ""],
  ["https://", true, "https://", ""],
  ["/tmp/https://h/a.csv", false, "/tmp/https://h/a.csv", "a.csv"],
  ["a?b#c.csv", false, "a?b#c.csv", "a?b#c.csv"],
  ["ftp://h/a.csv", false, "ftp://h/a.csv", "a.csv"],
  ["https:a.csv", false, "https:a.csv", "https:a.csv"],
  ["-", false, "-", "-"],
];

for (const [path, is, name, file] of cases) {
  Deno.test(`isUrl(), nameOfUrl() and fileNameOf() of ${path}`, () => {
    assertEquals([isUrl(path), nameOfUrl(path), fileNameOf(path)], [is, name, file]);
    const error = new FileError(path, "is odd");
    assertEquals([error.message, error.file], [`${name}: is odd`, path]);
  });
}

Deno.test("localPath() is the path of a URL of a file, and leaves all else as it is", () => {
  for (
    const [given, path] of [
      ["file:///tmp/a%20b.csv", "/tmp/a b.csv"],
      ["FILE:///tmp/Z%C3%BCrich.csv", "/tmp/Zürich.csv"],
      ["file://localhost/tmp/a.csv", "/tmp/a.csv"],
      ["file://elsewhere/tmp/a.csv", "file://elsewhere/tmp/a.csv"],
      ["file:///tmp/a%2Fb.csv", "file:///tmp/a%2Fb.csv"],
      ["file:///tmp/a%25b.csv", "/tmp/a%b.csv"],
      ["file:///tmp/a%zzb.csv", "file:///tmp/a%zzb.csv"],
      ["file:///tmp/a%2", "file:///tmp/a%2"],
      ["file:///tmp/a%25%", "file:///tmp/a%25%"],
      ["file:///tmp/a%ffb.csv", "file:///tmp/a%ffb.csv"],
      ["file:/tmp/a.csv", "file:/tmp/a.csv"],
      ["https://host/a%20b.csv", "https://host/a%20b.csv"],
      ["/tmp/a%20b.csv", "/tmp/a%20b.csv"],
    ] as const
  ) {
    assertEquals(localPath(given), path);
    if (hasScheme(given)) assertEquals(localPath(new URL(given)), path);
  }
});

Deno.test("hasScheme() tells URLs of any kind from paths", () => {
  const urls = ["https://h/a", "s3://b/a.csv", "FILE:///a", "git+ssh://h/a"];
  const paths = ["/a://b", "./s3://b/a.csv", "a.csv", "C:\\a.csv", "c://a", "https:a.csv", "-"];
  assertEquals(urls.filter(hasScheme), urls);
  assertEquals(paths.filter(hasScheme), []);
});
