import { argsOfFile, graphOfFile } from '../../../cli/lobster/graph-model';
import { graphText } from '../../../cli/lobster/graph-text';
import type { Json } from '../../../plan/text/json';

const DOCUMENT = {
  steps: [
    { id: 'fetch', run: `curl \${url}` },
    { id: 'all', parallel: { wait: 'any', branches: [] } },
    { id: '1-go', approval: 'Go "on" | <stop>?', stdin: '$fetch.json', when: '$fetch.json.ok == true' },
    { id: 'each', for_each: '$fetch.json.items', steps: [] },
  ],
};
const graph = graphOfFile(DOCUMENT, { url: 'http://x' });

test('mermaid', () => {
  expect(graphText(graph, 'mermaid').split('\n')).toEqual([
    'flowchart TD',
    '  fetch["fetch\\nrun: curl http://x"]',
    '  all["all\\nparallel (any)"]',
    '  s_1_go{"1-go\\napproval gate"}',
    '  each["each\\nfor_each: $fetch.json.items"]',
    '',
    '  fetch -->|next| all',
    '  all -->|next| s_1_go',
    '  fetch -->|stdin| s_1_go',
    '  fetch -->|when: $fetch.json.ok == true| s_1_go',
    '  s_1_go -->|next| each',
    '  fetch -->|for_each| each',
  ]);
});

test('dot', () => {
  const lines = graphText(graph, 'dot').split('\n');
  expect(lines.slice(0, 2)).toEqual(['digraph workflow {', '  rankdir=TB;']);
  expect(lines).toContain('  "1-go" [shape=diamond,label="1-go\\\\napproval gate"];');
  expect(lines).toContain('  "fetch" -> "all" [label="next"];');
  expect(lines.at(-1)).toBe('}');
});

test('ascii', () => {
  const text = graphText(graph, 'ascii');
  expect(text).toContain('- fetch [run] (run: curl http://x)');
  expect(text).toContain('- 1-go [approval] (approval gate)');
  expect(graphText(graphOfFile({ steps: [{ id: 'a', run: 'x' }] }, {}), 'ascii')).toMatch(/Edges:\n- \(none\)$/);
});

test('a long text is cut, an arg without a value stays as it is written', () => {
  const [node] = graphOfFile({ steps: [{ id: 'a', run: `\${none} ${'y'.repeat(100)}` }] }, {}).nodes;
  expect(node?.details).toMatch(/^run: \$\{none\} y+…$/);
  expect(node?.details).toHaveLength(80);
});

test.each<[string, Json, string]>([
  ['a list', [1, [2, null], 'x'], '1,2,,x'],
  ['an empty list', [], ''],
  ['an object', { k: 1 }, '[object Object]'],
  ['a list of objects', [{ k: 1 }, 'y'], '[object Object],y'],
  ['null', null, 'null'],
  ['a truth value', true, 'true'],
  ['text with blanks', ' s ', ' s '],
])('%s among the args is written as it goes into a command', (_what, value, written) => {
  const document = { steps: [{ id: 'a', run: `echo <\${v}>` }] };
  expect(graphOfFile(document, { v: value }).nodes[0]?.details).toBe(`run: echo <${written}>`);
});

test('args are the defaults of the file, and what is given over them', () => {
  const args = { a: { default: [1] }, b: { default: null }, c: {}, d: null, e: 5, f: { default: 2 } };
  expect(argsOfFile({ args }, { f: 3, g: 4 })).toEqual({ a: [1], b: null, f: 3, g: 4 });
});
