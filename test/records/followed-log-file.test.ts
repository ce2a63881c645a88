import { appendFileSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { followLogFile } from '../../records/directory/followed-log-file';
import { appendLines } from '../../records/directory/log-file';
import { scratchFolder } from '../activities/workshop';

function followed() {
  const path = join(scratchFolder(), 'log.jsonl');
  return { path, log: followLogFile(path, (look) => look()) };
}

test('a line that is not finished is read when it is', async () => {
  const { path, log } = followed();
  writeFileSync(path, '1\n{"n":');
  expect(await log.lines()).toEqual([1]);
  appendFileSync(path, '2}\n');
  expect(await log.lines()).toEqual([1, { n: 2 }]);
});

test('a line that a crash has torn is passed over, and what the next writer adds is read', async () => {
  const { path, log } = followed();
  writeFileSync(path, '1\n{"n":');
  expect(await log.lines()).toEqual([1]);
  await appendLines(path, [3]);
  expect(readFileSync(path, 'utf8')).toBe('1\n{"n":~\n3\n');
  expect(await log.lines()).toEqual([1, 3]);
});

test('two writers at once, and looks meanwhile: every line once, in the order of the file', async () => {
  const { path, log } = followed();
  const write = async (writer: string) => {
    for (let n = 0; n < 30; n++) await appendLines(path, [`${writer}${n}`]);
  };
  const looks = async () => {
    for (let n = 0; n < 30; n++) await Promise.all([log.lines(), log.lines()]);
  };
  await Promise.all([write('a'), write('b'), looks()]);
  const inFile = readFileSync(path, 'utf8').trimEnd().split('\n');
  expect(await log.lines()).toEqual(inFile.map((line) => JSON.parse(line)));
  expect(new Set(inFile).size).toBe(60);
});

test.each<[string, (path: string) => void, unknown[]]>([
  ['is gone', (path) => rmSync(path), []],
  [
    'is another one',
    (path) => {
      rmSync(path);
      writeFileSync(`${path}.kept`, '');
      writeFileSync(path, '7\n8\n9\n');
    },
    [7, 8, 9],
  ],
  ['is shorter', (path) => truncateSync(path, 2), [1]],
])('a file that %s is read from its beginning, into another array', async (_, replace, expected) => {
  const { path, log } = followed();
  writeFileSync(path, '1\n2\n');
  const before = await log.lines();
  replace(path);
  const after = await log.lines();
  expect(after).toEqual(expected);
  expect(after).not.toBe(before);
});
