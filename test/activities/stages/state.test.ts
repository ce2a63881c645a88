import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { failureOf, scratchFolder } from '../workshop';
import { out, ports, stage } from './pipe';

function memory(folder = scratchFolder()) {
  return { folder, ports: ports({ LOBSTER_STATE_DIR: join(folder, 'state') }) };
}

describe('state', () => {
  test('state.get gives what state.set kept, null if there is nothing', async () => {
    const at = memory();
    expect(await out([], stage('state.get', 'seen'), at.ports)).toEqual([null]);
    expect(await out([{ a: 1 }], stage('state.set', 'seen'), at.ports)).toEqual([{ a: 1 }]);
    expect(await out([], stage('state.get', 'seen'), at.ports)).toEqual([{ a: 1 }]);
  });

  test('keeps one item as it is and any other number as a list', async () => {
    const at = memory();
    expect(await out([1, 2], stage('state.set', 'k'), at.ports)).toEqual([[1, 2]]);
    expect(await out([], stage('state.set', 'k'), at.ports)).toEqual([[]]);
    expect(await out([], stage('state.get', 'k'), at.ports)).toEqual([[]]);
  });

  test('keeps where Lobster does: the key’s file in LOBSTER_STATE_DIR, for its user alone, and nothing next to it', async () => {
    const at = memory();
    await out([{ a: 1 }], stage('state.set', '_My Key//ä.v1_'), at.ports);
    expect(readdirSync(join(at.folder, 'state'))).toEqual(['my_key_.v1.json']);
    const file = join(at.folder, 'state', 'my_key_.v1.json');
    expect(readFileSync(file, 'utf8')).toBe('{\n  "a": 1\n}\n');
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is in the home folder if nothing is named, and next to the pipe if the name is relative', async () => {
    const home = scratchFolder();
    await out([1], stage('state.set', 'k'), ports({ HOME: home }));
    expect(readdirSync(join(home, '.lobster', 'state'))).toEqual(['k.json']);
    await out([1], stage('state.set', 'k'), ports({ LOBSTER_STATE_DIR: 'mine' }, { filesFrom: home }));
    expect(readdirSync(join(home, 'mine'))).toEqual(['k.json']);
  });

  test('diff.last says whether the items are what the key held, key order apart', async () => {
    const at = memory();
    const diff = stage('diff.last', { key: 'd' });
    expect(await out([{ a: 1, b: 2 }], diff, at.ports)).toEqual([
      { kind: 'diff.last', key: 'd', changed: true, before: null, after: { a: 1, b: 2 } },
    ]);
    expect(await out([{ b: 2, a: 1 }], diff, at.ports)).toMatchObject([{ changed: false, before: { a: 1, b: 2 } }]);
    expect(await out([3, 4], stage('diff.last', 'd'), at.ports)).toMatchObject([{ changed: true, after: [3, 4] }]);
  });

  test('a damaged file is an error to state.get and nothing to diff.last', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'k.json'), '{"torn"');
    const at = ports({ LOBSTER_STATE_DIR: folder });
    expect(await failureOf(out([], stage('state.get', 'k'), at))).toMatchObject({
      code: 'stage.failed',
      message: expect.stringMatching(/^state\.get/),
    });
    expect(await out([1], stage('diff.last', 'k'), at)).toMatchObject([{ changed: true, before: null }]);
  });

  test.each([stage('state.get'), stage('state.set'), stage('diff.last'), stage('state.get', '///')])(
    'needs a key: $name $words',
    async (call) => {
      const failure = await failureOf(out([], call, memory().ports));
      expect([failure.code, failure.message.startsWith(call.name)]).toEqual(['stage.failed', true]);
    },
  );

  test('fails if the folder cannot be used', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'file'), '');
    const at = ports({ LOBSTER_STATE_DIR: join(folder, 'file') });
    for (const call of [stage('state.set', 'k'), stage('state.get', 'k')]) {
      const failure = await failureOf(out([1], call, at));
      expect([failure.code, failure.message.startsWith(call.name)]).toEqual(['stage.failed', true]);
    }
  });
});
