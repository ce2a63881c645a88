import { mergeScripts, readScript, type ScriptFile } from '../../compiler';

function read(text: string, file = 'scripts/demo.yaml'): ScriptFile {
  const found = readScript(file, text);
  if (!found.script) throw new Error(found.diagnostics[0]?.message);
  return found;
}

const BASE = `
description: The base.
replies:
  draft:
    - {round: 1, try: 2, ask: 2, after: 400ms, json: {a: [1]}, usage: {input_tokens: 12, cache_read_tokens: 3, cost_usd: 0.0123}}
    - {text: "no json", usage: {output_tokens: 4}}
    - fail: {code: model.overloaded, message: "529", retry_after: 2s}
    - hang: true
  review: [{json: {verdict: pass}}]
people:
  - {gate: approve, after: 0s, approve: {by: chairman, comment: fine}}
  - {gate: review#3, revise: }
`;

describe('a script', () => {
  it('reads every outcome, with times in milliseconds and cost in integer millionths, unknown if it is absent', () => {
    expect(read(BASE).script).toEqual({
      name: 'demo',
      description: 'The base.',
      replies: {
        draft: [
          {
            round: 1,
            try: 2,
            ask: 2,
            afterMs: 400,
            reply: { kind: 'json', value: { a: [1] } },
            usage: { inputTokens: 12, cacheReadTokens: 3, costMicroUsd: 12_300 },
          },
          { reply: { kind: 'text', text: 'no json' }, usage: { outputTokens: 4, costMicroUsd: null } },
          { reply: { kind: 'fail', code: 'model.overloaded', message: '529', retryAfterMs: 2000 } },
          { reply: { kind: 'hang' } },
        ],
        review: [{ reply: { kind: 'json', value: { verdict: 'pass' } } }],
      },
      people: [
        { gate: 'approve', afterMs: 0, choice: 'approve', by: 'chairman', comment: 'fine' },
        { gate: 'review#3', choice: 'revise' },
      ],
    });
  });

  it('says which script it changes', () => {
    expect(read('extends: daily-quant\n')).toMatchObject({ extends: 'daily-quant', hasPeople: false });
    expect(read('people: []\n')).toMatchObject({ hasPeople: true });
    expect(read('people: []\n')).not.toHaveProperty('extends');
  });

  it('replaces the replies of a step, and keeps those of the others', () => {
    const merged = mergeScripts(read(BASE).script, read('replies: {review: [{hang: true}]}\n', 'scripts/over.yaml'));
    expect(merged.name).toBe('over');
    expect(merged.description).toBe('The base.');
    expect(merged.replies['draft']).toHaveLength(4);
    expect(merged.replies['review']).toEqual([{ reply: { kind: 'hang' } }]);
  });

  it('replaces the people only if it has a people key', () => {
    const base = read(BASE).script;
    expect(mergeScripts(base, read('description: x\n')).people).toEqual(base.people);
    expect(mergeScripts(base, read('people: []\n')).people).toEqual([]);
  });

  it('is refused with every mistake, in order', () => {
    const { script, diagnostics } = readScript('s.yaml', 'reply: {}\nreplies:\n  a: [{json: 1, text: b}]\npeople:\n  - {gate: x}\n');
    expect(script).toBeUndefined();
    expect(diagnostics.map((d) => `${d.code}@${d.line}`)).toEqual(['shape.unknown-key@1', 'script.bad-reply@3', 'script.bad-person@5']);
  });
});
