import { sourceText } from '../../compiler/diagnostics/diagnostic';
import { headingsIn, textAboveHeadings } from '../../compiler/read/headings';

function read(text: string) {
  const source = sourceText('BRIEF.md', text);
  return headingsIn({ value: text, at: { source, start: 0, end: text.length } });
}

const titles = (text: string): string[] => read(text).map(({ heading, level }) => `${level} ${heading.value}`);

describe('a heading is', () => {
  test.each<[string, string[]]>([
    ['# One\n\n## Two ##\n\n###### Six\n', ['1 One', '2 Two', '6 Six']],
    ['   # Indented\n', ['1 Indented']],
    ['#\n', ['1 ']],
    ['One\n===\n\nTwo\n---\ntext\n', ['1 One', '2 Two']],
    ['Two\nlines\n---\n', ['2 Two lines']],
    ['# One\r\ntext\r\n\r\nTwo\r\n---\r\nmore\r\n', ['1 One', '2 Two']],
    ['- a\n\nTwo\n---\n', ['2 Two']],
    ['```\nx\n```\n# After\n', ['1 After']],
    ['~~~\n```\n# no\n~~~\n# After\n', ['1 After']],
    ['<!-- one -->\n# After\n', ['1 After']],
    ['# C#\n', ['1 C#']],
    ['- a\n# After a list\n', ['1 After a list']],
  ])('%j: %j', (text, found) => {
    expect(titles(text)).toEqual(found);
  });
});

describe('no heading is', () => {
  test.each([
    ['in fenced code', '```sh\n# comment\n```\n'],
    ['in fenced code that is longer', '````\n```\n# comment\n````\n'],
    ['in fenced code of a list', '1. run\n    ```sh\n# comment\n    ```\n'],
    ['in fenced code without an end', '~~~\n# comment\n'],
    ['in indented code', '    # comment\n'],
    ['a word with a number sign', '#tag\n'],
    ['seven signs', '####### Seven\n'],
    ['a rule across the page', 'text\n\n---\n\nmore\n'],
    ['a rule below a list', '- a\n- b\n---\n'],
    ['a rule below a quote', '> a\n---\n'],
    ['rules alone', '---\n***\n---\n'],
    ['a table', '| a | b |\n| --- | --- |\n| c | d |\n'],
    ['in a comment', '<!--\n# no\n-->\n'],
    ['in an item of a list', '- a\n\n  # no\n'],
    ['in a quote', '> # no\n'],
  ])('%s', (_, text) => {
    expect(titles(text)).toEqual([]);
  });
});

test('the text below a heading ends before the next one, and keeps its place', () => {
  const text = 'above\n\n# One\r\n\r\n  a\r\n  b\r\n\r\nTwo\r\n---\r\n';
  const [one, two] = read(text);
  expect(one?.text.value).toBe('a\n  b');
  expect(text.slice(one?.text.at.start, one?.text.at.end)).toBe('a\r\n  b');
  expect(text.slice(one?.heading.at.start, one?.heading.at.end)).toBe('# One');
  expect(text.slice(two?.heading.at.start, two?.heading.at.end)).toBe('Two\r\n---');
  expect(two?.text).toMatchObject({ value: '', at: { start: text.length, end: text.length } });
});

test('the text above the first heading is kept', () => {
  const source = sourceText('BRIEF.md', 'a\nb\n\n# One\n');
  expect(textAboveHeadings({ value: source.text, at: { source, start: 0, end: source.text.length } }).value).toBe('a\nb');
});

test('long lines and many headings are read in time that is proportional to them', () => {
  expect(read(`# ${' '.repeat(500_000)}x\n${'`'.repeat(500_000)}\n`)).toHaveLength(1);
  expect(read('# a\n'.repeat(100_000))).toHaveLength(100_000);
});
