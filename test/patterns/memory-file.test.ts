import { type EntryFacts, readMemory, writeEntry } from '../../plan/memory/memory-file';
import { recall } from '../../plan/memory/recall';
import { forget, type Learned, type Lesson, MOST_LESSONS, remember } from '../../plan/memory/remember';
import { sameness } from '../../plan/patterns/rank-texts';
import { chance } from '../caid/chance';

const pattern = (text: string): Lesson => ({ kind: 'pattern', text });
const learned = (lessons: Lesson[], more: Partial<Learned> = {}): Learned => ({
  ...{ lessons, confirmed: [], run: 'brief-1', runId: 'a', day: '2026-01-02' },
  ...more,
});
const facts = (more: Partial<EntryFacts> = {}): EntryFacts => ({
  ...{ id: 'm-00000001', kind: 'pattern', confirmed: 1, first: '2026-01-02', last: '2026-01-02', run: 'brief-1', runs: ['0f1e2d3c'] },
  ...more,
});
const entriesOf = (text: string) => readMemory(text).items.flatMap((item) => (item.kind === 'entry' ? [item] : []));

describe('a memory file', () => {
  it('CP-10 · success · has each lesson with its run and day, and a heading if it is new', () => {
    const { text, added } = remember(undefined, learned([pattern('Lint first.')]), 'Team memory');
    expect(text).toMatch(/^# Team memory\n\n- Lint first\. <!-- m-[0-9a-f]{8} pattern confirmed=1 first=2026-01-02 .* -->\n$/);
    expect(added).toBe(1);
    expect(entriesOf(text)).toMatchObject([{ text: 'Lint first.', facts: { run: 'brief-1', last: '2026-01-02', confirmed: 1 } }]);
  });

  it('CP-10 · duplicate · the same run again changes nothing', () => {
    const one = remember(undefined, learned([pattern('Lint first.'), pattern('Ask early.')]), 'T');
    expect(remember(one.text, learned([pattern('Lint first.'), pattern('Ask early.')]), 'T')).toMatchObject({
      text: one.text,
      added: 0,
      confirmed: 0,
    });
  });

  it('CP-10 · success · `confirmed` counts the runs that name an entry, by its words or by its id', () => {
    const one = remember(undefined, learned([pattern('Lint first.')]), 'T');
    const two = remember(one.text, learned([pattern('lint  FIRST')], { runId: 'b', day: '2026-02-03' }), 'T');
    const [entry] = entriesOf(two.text);
    const three = remember(two.text, learned([pattern('Lint first!')], { runId: 'c', confirmed: [entry?.facts.id ?? ''] }), 'T');
    expect([two, three].map(({ added, confirmed }) => [added, confirmed])).toEqual([
      [0, 1],
      [0, 1],
    ]);
    expect(entriesOf(three.text)).toMatchObject([
      { text: 'Lint first.', facts: { confirmed: 3, first: '2026-01-02', last: '2026-02-03' } },
    ]);
  });

  it('CP-10 · success · the opposite of an entry is another entry', () => {
    const text = remember(undefined, learned([pattern('Retry the deploy.'), pattern('Do not retry the deploy.')]), 'T').text;
    expect(entriesOf(text)).toHaveLength(2);
  });

  it.each<[string, string]>([
    ['a heading and prose', '# Ours\n\nWhatever.\n'],
    ['no end of the last line', 'Whatever'],
    ['lines of Windows', '# Ours\r\n\r\nWhatever.\r\n'],
    ['an item in a fence', '```\n- not an entry <!-- m-x -->\n```\n'],
    ['a fence that never ends', '```\nprose\n'],
    ['a longer fence around a fence', '````\n```\n- not an entry <!-- m-x -->\n```js\n````\n'],
    ['marks of a merge', '<<<<<<< HEAD\n- a person’s\n=======\n>>>>>>> b\n'],
    ['an item of a list within', '- a person’s\n  - within it\n'],
    ['a line of marks', '- - -\n'],
    ['a comment that cannot be read', '- broken <!-- m-12 pattern -->\n'],
    ['a comment without end', '- broken <!-- m-12345678 pattern\n'],
    ['an item longer than 8192 characters', `- ${'x'.repeat(9000)} <!-- m-12345678 pattern -->\n`],
  ])('CP-10 · entry · keeps what people wrote: %s', (_, before) => {
    const { text } = remember(before, learned([pattern('Lint first.')]), 'T');
    expect(text.startsWith(before)).toBe(true);
    expect(entriesOf(text)).toMatchObject([{ text: 'Lint first.' }]);
    expect(readMemory(text).lines.join('\n')).toBe(text);
  });

  it('CP-10 · entry · lines of Windows stay such', () => {
    const { text } = remember('# Ours\r\n', learned([pattern('Lint first.')]), 'T');
    expect(text.split('\r\n').join('')).not.toMatch(/[\r\n]/);
    expect(
      remember(text, learned([pattern('lint first')], { runId: 'b' }), 'T')
        .text.split('\r\n')
        .join(''),
    ).not.toMatch(/[\r\n]/);
  });

  it.each([
    ['no id', '- x <!-- m-12 pattern confirmed=1 first=2026-01-02 last=2026-01-02 run=a runs= -->'],
    ['an unknown kind', '- x <!-- m-12345678 idea confirmed=1 first=2026-01-02 last=2026-01-02 run=a runs= -->'],
    ['a count that is none', '- x <!-- m-12345678 pattern confirmed=many first=2026-01-02 last=2026-01-02 run=a runs= -->'],
    ['a count of 0', '- x <!-- m-12345678 pattern confirmed=0 first=2026-01-02 last=2026-01-02 run=a runs= -->'],
    ['a day that is none', '- x <!-- m-12345678 pattern confirmed=1 first=yesterday last=2026-01-02 run=a runs= -->'],
    ['a run that is no text', '- x <!-- m-12345678 pattern confirmed=1 first=2026-01-02 last=2026-01-02 run=%E0%A4%A runs= -->'],
    ['no text', '- <!-- m-12345678 pattern confirmed=1 first=2026-01-02 last=2026-01-02 run=a runs= -->'],
  ])('CP-10 · entry · an entry that cannot be read is left alone and named: %s', (_, line) => {
    const file = `# T\n\n${line}\n`;
    const { text, problems } = remember(file, learned([pattern('x')]), 'T');
    expect(text.startsWith(file)).toBe(true);
    expect(problems).toEqual([expect.stringMatching(/^line 3: /)]);
    expect(recall(file, {})).toMatchObject({ text: '', problems });
  });

  it('CP-10 · entry · a person may change the text of an entry, and wrap it', () => {
    const line = writeEntry('Lint first.', facts());
    const edited = line.replace('Lint first.', 'Lint first,\n  with the pinned version.').replace(' <!--', '\n  <!--');
    const { text, confirmed } = remember(`${edited}\n`, learned([], { confirmed: ['m-00000001'], runId: 'b' }), 'T');
    expect(confirmed).toBe(1);
    expect(entriesOf(text)).toMatchObject([{ text: 'Lint first, with the pinned version.', facts: { confirmed: 2 } }]);
    expect(text).toContain('Lint first,\n  with the pinned version.\n  <!-- m-00000001');
  });

  it('CP-10 · entry · what a person has written is known, and no run adds it', () => {
    const { text, added } = remember('- Lint first\n', learned([pattern('lint first.')]), 'T');
    expect({ text, added }).toEqual({ text: '- Lint first\n', added: 0 });
  });

  it.each(['a --> b <!-- c', 'line one\nline two\u2028three', '- item', '```', '# heading', '\u0000 <!-- m-12345678 -->'])(
    'CP-10 · entry · what an agent writes stays one line of text: %j',
    (said) => {
      const { text } = remember('# T\n\n- before\n', learned([pattern(`Say ${said}`), pattern('Second.')]), 'T');
      expect(readMemory(text).items.map(({ kind }) => kind)).toEqual(['note', 'entry', 'entry']);
      expect(remember(text, learned([pattern(`Say ${said}`)]), 'T').text).toBe(text);
    },
  );

  it('CP-10 · entry · a run adds no more than twenty lessons of 500 characters', () => {
    const many = Array.from({ length: 100 }, (_, i) => pattern(`${i} ${'x'.repeat(8000)}`));
    const { text, added } = remember(undefined, learned(many), 'T');
    expect(added).toBe(MOST_LESSONS);
    expect(text.length).toBeLessThan(MOST_LESSONS * 700);
  });

  it('CP-10 · entry · forgets an entry with all its lines, a person’s too, and nothing else', () => {
    const file = `# T\n- mine\n  and more\n- yours\n${writeEntry('theirs', facts())}\n\nrest\n`;
    const [mine] = readMemory(file).items;
    const { text, forgotten } = forget(file, [mine?.kind === 'note' ? mine.id : '', 'm-00000001', 'm-99999999']);
    expect(text).toBe('# T\n- yours\n\nrest\n');
    expect(forgotten).toEqual([expect.stringMatching(/^m-/), 'm-00000001']);
  });

  it('CP-10 · entry · two entries never share an id', () => {
    const lessons = Array.from({ length: 20 }, (_, i) => pattern(`Lesson ${i}`));
    let text = remember(undefined, learned(lessons), 'T').text;
    text = text.replace('Lesson 0', 'Edited 0');
    text = remember(text, learned([pattern('Lesson 0')], { runId: 'b' }), 'T').text;
    const ids = entriesOf(text).map((entry) => entry.facts.id);
    expect(new Set(ids).size).toBe(21);
  });
});

describe('what agents are given of a memory', () => {
  const entry = (text: string, more: Partial<EntryFacts>) => writeEntry(text, facts({ id: `m-${more.id}`.slice(-10), ...more }));
  const file = [
    entry('old and sure', { id: 'm-0000000a', confirmed: 5, last: '2026-01-01' }),
    entry('new', { id: 'm-0000000b', confirmed: 1, last: '2026-03-01' }),
    entry('newer', { id: 'm-0000000c', confirmed: 1, last: '2026-04-01' }),
    '- a person’s',
  ].join('\n');
  const order = (given: Parameters<typeof recall>[1]) => recall(file, given).entries.map(({ text }) => text);

  it('CP-10 · success · people come first, then the most confirmed, then the newest', () => {
    expect(order({})).toEqual(['a person’s', 'old and sure', 'newer', 'new']);
    expect(order({ order: ['newest'] })).toEqual(['a person’s', 'newer', 'new', 'old and sure']);
  });

  it('CP-10 · success · no more than fits, and how many are left out', () => {
    const whole = recall(file, {});
    const sizeBytes = Buffer.byteLength(`${whole.text}\n`);
    expect(recall(file, { maxBytes: sizeBytes }).left).toBe(0);
    const less = recall(file, { maxBytes: sizeBytes - 1 });
    expect(less).toMatchObject({ left: 1 });
    expect(recall(`- ${'é'.repeat(2000)}\n${file}`, { maxBytes: 1000 })).toMatchObject({ left: 1, text: whole.text });
    expect(recall(file, { maxBytes: 1 })).toMatchObject({ left: 4, text: '' });
  });
});

/** Compares a memory with a naive model, which has the runs that named each key. */
describe('random runs with one memory', () => {
  const SAYINGS = ['Lint first', 'lint FIRST.', 'Ask early', 'Pin versions', 'pin  versions!', 'Read the log'];

  it.each(Array.from({ length: 20 }, (_, seed) => [seed]))('count once each (seed %i)', (seed) => {
    const roll = chance(seed);
    const naive = new Map<string, Set<string>>();
    let file: string | undefined;
    for (let i = 0; i < 30; i++) {
      const runId = `run-${roll(12)}`;
      const lessons = Array.from({ length: roll(4) }, () => pattern(SAYINGS[roll(SAYINGS.length)] ?? ''));
      for (const { text } of lessons) naive.set(sameness(text), (naive.get(sameness(text)) ?? new Set()).add(runId));
      file = remember(file, learned(lessons, { runId }), 'T').text;
      if (roll(3) === 0) file = file.replace('\n\n', '\n\nA person was here.\n\n');
    }
    const counts = entriesOf(file ?? '').map(({ text, facts: { confirmed } }) => [sameness(text), confirmed]);
    expect(Object.fromEntries(counts)).toEqual(Object.fromEntries([...naive].map(([key, runs]) => [key, runs.size])));
  });
});
