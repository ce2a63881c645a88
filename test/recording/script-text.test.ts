import { recordedPeople } from '../../cli/recording/people';
import { recordedScriptText } from '../../cli/recording/script-text';
import { readScript } from '../../compiler/script/read-script';
import type { Script } from '../../plan/agents/script';
import type { JournalEntry } from '../../plan/run/journal';
import { jsonText, parseJson } from '../../plan/text/json-text';

const script = (text: string): Script => ({
  name: 's',
  people: [{ gate: 'ok#2', choice: 'respond', response: { size: '4' }, by: 'cfo' }],
  replies: {
    draft: [
      {
        round: 1,
        try: 1,
        ask: 1,
        iteration: [0, 2],
        reply: { kind: 'text', text },
        calls: [{ tool: 'run', args: { a: text }, result: { text } }],
      },
      { round: 2, reply: { kind: 'text', text: 'cut h' }, cut: true, usage: { inputTokens: 3, costMicroUsd: 51_234 } },
      { round: 3, reply: { kind: 'fail', code: 'model.overloaded', message: 'later' } },
      { reply: { kind: 'hang' }, calls: [{ tool: 'fetch_url', args: {}, result: { text: '', refused: true } }] },
    ],
  },
});

describe('a script as it is written', () => {
  it('keeps how numbers are written, also those that are the whole of an answer', () => {
    const json =
      '{"name":"s","people":[{"gate":"ok","choice":"respond","response":1.10}],"replies":{"a":[{"reply":{"kind":"json","value":2.50}}]}}';
    const text = recordedScriptText(parseJson<Script>(json), []);
    expect(jsonText(readScript('s.yaml', text).script)).toMatch(/"value":2\.50.*"response":1\.10|"response":1\.10.*"value":2\.50/);
  });

  it.each(
    [
      ['', '\n', ' ', 'plain', 'two\nlines\n', '  indented\n    more', 'trailing  \n\n\n', '\ttab', 'crlf\r\nline', '# no comment'],
      [
        'yes',
        'no',
        'null',
        '~',
        '1e3',
        '0o17',
        '0x1F',
        '2026-11-21',
        '12:30:00',
        '.inf',
        '<<',
        '=',
        '1_000',
        '-',
        '- a',
        'a: b',
        '{',
        '[',
        '!tag',
        '&a',
        '*a',
        '%',
        '@',
        '`',
      ],
      ['"quoted"', "it's", '\\n', '\u0000\u0007', '\u2028\u0085', 'ü 💶', '---\nx', '...\n', '$step.json', 'x'.repeat(5000)],
    ].flat(),
  )('reads as it was, whatever is said: %j', (text) => {
    const read = readScript('s.yaml', recordedScriptText(script(text), ['recorded\nfrom a run']));
    expect(read.diagnostics).toEqual([]);
    expect(read.script).toEqual(expect.objectContaining({ replies: script(text).replies, people: script(text).people }));
  });

  it('has texts of several lines as they are', () => {
    expect(recordedScriptText(script('first\nsecond\n'), [])).toContain('text: |\n        first\n        second\n');
  });

  it('may be larger than a pipeline', () => {
    const text = 'a long line of a report\n'.repeat(60_000);
    expect(readScript('s.yaml', recordedScriptText(script(text), [])).script?.replies['draft']?.[0]?.reply).toEqual({ kind: 'text', text });
  });
});

describe('what people decided', () => {
  const decision = (step: string, more: object): JournalEntry => ({
    ...{ seq: 1, at: '2026-11-20T10:00:00.000Z', kind: 'decision', step },
    decision: { choice: 'approve', at: '', via: 'update', identity: 'claimed', shownSha256: '', ...more },
  });

  it('is played again, but for what agents and timeouts decided', () => {
    const entries = [
      decision('ok', { by: 'cfo', comment: 'fine' }),
      decision('ok#2', { choice: 'revise', comment: 'again' }),
      decision('ask', { choice: 'respond', value: { size: 4 } }),
      decision('late', { choice: 'reject', via: 'time-out' }),
      decision('chain', { choice: 'approve', via: 'agent' }),
    ];
    expect(recordedPeople(entries)).toEqual({
      left: [],
      people: [
        { gate: 'ok', choice: 'approve', by: 'cfo', comment: 'fine' },
        { gate: 'ok#2', choice: 'revise', comment: 'again' },
        { gate: 'ask', choice: 'respond', response: { size: 4 } },
      ],
    });
  });

  it('is said to be left out if a script has no words for it', () => {
    expect(recordedPeople([decision('budget', { choice: 'abort', by: 'cfo' })])).toMatchObject({ people: [], left: [expect.any(String)] });
  });
});
