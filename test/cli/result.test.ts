import { followedResult } from '../../cli/following/result';
import { isShort, renderResult } from '../../cli/rendering/result';
import type { Json } from '../../plan/text/json';
import { MemoryArtifacts } from '../../records/memory/memory-store';
import { readContent } from '../../records/read-content';
import { fakeTerminal } from './fake-terminal';
import { runView, stepView } from './views';

const { colors } = fakeTerminal();
const shown = (value: Json): string => renderResult({ value, whole: 'thermidor show r s' }, colors);

test('a result is shown whole if it is short: text as it is, everything else as indented JSON', () => {
  expect(shown('one\ntwo\n')).toBe('result\none\ntwo\n');
  expect(shown({ a: 1 })).toBe('result\n{\n  "a": 1\n}\n');
});

test.each([
  ['lines', Array.from({ length: 100 }, (_, i) => `line ${i}`).join('\n')],
  ['characters', 'x'.repeat(10_000)],
])('one of many %s is cut, with the line that shows the rest', (_, text) => {
  expect(isShort({ value: text, whole: '' })).toBe(false);
  expect(shown(text).length).toBeLessThan(2_200);
  expect(shown(text)).toMatch(/\n… the rest: thermidor show r s\n$/);
});

test('nothing in a result steers the terminal', () => {
  expect(shown('a\u001b[2Jb\u202e')).toBe('result\nab\n');
});

describe('the result of a run', () => {
  const store = new MemoryArtifacts();
  const content = { read: (ref: { sha256: string }) => readContent(store, ref) };
  const resultWith = async (content: string, name = 'b.json') => {
    const ref = await store.put(Buffer.from(content), { mediaType: 'application/json', name });
    const view = runView([stepView('a', { state: 'done' }), stepView('b', { state: 'done', artifact: ref })], { run: 'r' });
    return { ref, view };
  };

  it('is the content of the last output, and its step is named', async () => {
    const { ref, view } = await resultWith('{"x":1}');
    await expect(followedResult(view, { ...ref }, content, ' --address h:1')).resolves.toEqual({
      value: { x: 1 },
      step: 'b',
      whole: 'thermidor show r b --address h:1',
    });
  });

  it('is what `output` says, in the whole document of the run', async () => {
    const { view } = await resultWith('{"x":1}');
    await expect(followedResult(view, [1, 2], content, '')).resolves.toEqual({ value: [1, 2], whole: 'thermidor status r --json' });
  });

  it('is left out if there is none, or if its content is on another host', async () => {
    const { ref, view } = await resultWith('{"x":1}');
    await expect(followedResult(view, null, content, '')).resolves.toBeUndefined();
    await expect(followedResult(view, { ...ref, sha256: 'f'.repeat(64) }, content, '')).resolves.toBeUndefined();
  });
});
