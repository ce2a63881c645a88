import { pipeWords } from '../../../compiler/lobster/pipe/words';

function wordsOf(pipe: string): string[][] {
  const read = pipeWords(pipe);
  if (read.fault) throw new Error(read.fault.message);
  return read.stages.map((stage) => stage.map((word) => word.text));
}

describe('the words of a pipe', () => {
  it.each<[string, string, string[][]]>([
    ['divides stages at |', 'exec echo hi | where a=1 | json', [['exec', 'echo', 'hi'], ['where', 'a=1'], ['json']]],
    ['does so without blanks too', 'a|b', [['a'], ['b']]],
    ['keeps | within quotes', `exec echo 'a|b' "c|d"`, [['exec', 'echo', 'a|b', 'c|d']]],
    ['joins text and quotes that touch', `map k="a b"'c'd`, [['map', 'k=a bcd']]],
    ['keeps empty quotes as an empty word', `exec "" '' x`, [['exec', '', '', 'x']]],
    ['divides words at line ends', 'llm.invoke --prompt x\n\t--model m\r\n', [['llm.invoke', '--prompt', 'x', '--model', 'm']]],
    ['unescapes quotes, backslash, $ and ` within "…"', String.raw`a "\"\\\$\`"`, [['a', '"\\$`']]],
    ['leaves the escapes of JSON alone within "…"', String.raw`a "{\"x\":\"l1\nl2\"}"`, [['a', String.raw`{"x":"l1\nl2"}`]]],
    ["unescapes only the quote within '…'", String.raw`a 'don\'t \n \\x'`, [['a', String.raw`don't \n \\x`]]],
    ['joins lines at a backslash within "…"', 'a "b\\\nc"', [['a', 'bc']]],
    ['takes a backslash outside quotes as it is', String.raw`exec grep a\.b\d`, [['exec', 'grep', String.raw`a\.b\d`]]],
    ['lets a pipe end in |', 'json |', [['json']]],
  ])('%s', (_, pipe, expected) => {
    expect(wordsOf(pipe)).toEqual(expected);
  });

  it.each([
    ['an open quote', `exec "a 'b`, 5, 'Unclosed quote'],
    ['an open quote behind an escaped one', String.raw`exec 'a\'`, 5, 'Unclosed quote'],
    ['an empty stage', 'a || b', 3, 'Empty command stage'],
    ['an empty first stage', '| b', 0, 'Empty command stage'],
    ['nothing at all', '  ', 1, 'Empty pipeline'],
    ['an empty text', '', 0, 'Empty pipeline'],
  ])('refuses %s, where it stands', (_, pipe, start, message) => {
    expect(pipeWords(pipe).fault).toMatchObject({ start, message });
  });

  it('knows where each word is, quotes included', () => {
    const pipe = `a  "b c"d | e`;
    const read = pipeWords(pipe);
    const words = read.fault ? [] : read.stages.flat();
    expect(words.map(({ start, end }) => pipe.slice(start, end))).toEqual(['a', '"b c"d', 'e']);
  });
});
