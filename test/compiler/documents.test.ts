import { secondDocument } from '../../compiler/read/documents';

const begins = (text: string) => {
  const second = secondDocument(text);
  return second && text.slice(second.start).split(/\r?\n/)[0];
};

test.each<[string, string, string | undefined]>([
  ['a text without marks is one', 'a: 1\nb: 2\n', undefined],
  ['a mark before the first makes no second', '# c\n%YAML 1.2\n---\na: 1\n', undefined],
  ['nor do dots at the end, or comments behind them', 'a: 1\n...\n# end\n\n', undefined],
  ['dashes that are indented, or part of a word, are text', 'a: |\n  ---\n---- : 1\n---x: 2\n', undefined],
  ['it begins at its dashes', 'a: 1\n--- # two\nb: 2\n---\n', '--- # two'],
  ['it may have no more than its dashes', 'a: 1\n---', '---'],
  ['the first may be empty', '---\n--- {a: 1}\n', '--- {a: 1}'],
  ['behind dots it needs no dashes', 'a: 1\n...\n\n# c\nb: 2 \n', 'b: 2 '],
  ['behind dots it may have them', 'a: 1\n...\n%YAML 1.2\n---\nb: 2\n', '---'],
  ['lines may end in CR LF', 'a: 1\r\n---\r\nb: 2\r\n', '---'],
  ['a byte order mark is none of the first', '\uFEFF---\na: 1\n', undefined],
  ['nothing is no document', '', undefined],
])('%s', (_rule, text, expected) => {
  expect(begins(text)).toBe(expected);
});
