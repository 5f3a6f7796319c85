// Every piece of JavaScript in the guides and in the package's own page runs as it is.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
for (const page of ['README.md', 'node/README.md', 'docs/guide/node.md']) {
  const text = readFileSync(join(here, '../..', page), 'utf8');
  const pieces = [...text.matchAll(/```js\n(.*?)```/gs)].map((match) => match[1]);
  assert.ok(pieces.length > 0, page);
  pieces.forEach((piece, number) => {
    test(`${page}:${number}`, () => {
      const env = { ...process.env, ISOBOX_HOME: mkdtempSync(join(tmpdir(), 'isobox-js-')) };
      const done = spawnSync(process.execPath, ['--input-type=module', '--eval', piece], { env, cwd: here, encoding: 'utf8', timeout: 60_000 });
      rmSync(env.ISOBOX_HOME, { recursive: true, force: true });
      assert.equal(done.status, 0, done.stderr);
    });
  });
}
