import { isFailureCode } from '../../plan/run/failure';
import { parseAddress, stepIdOf } from '../../plan/steps/address';
import { playedBy, readMerged, readScriptFile, type ScriptEntry, scriptNames } from './program-files';

const DURATION = /^\d+(ms|s|m|h|d)$/;
const USAGE = ['input_tokens', 'output_tokens', 'cost_usd'];
const OUTCOMES = ['json', 'text', 'fail', 'hang'];
const ENTRY_KEYS = ['round', 'try', 'ask', 'iteration', 'prompt', 'after', 'calls', 'usage', ...OUTCOMES];
/** Steps at which people are asked. */
const GATES = ['review', 'approve', 'send', 'advertise', 'accept'];
const CHOICES = ['approve', 'reject', 'revise'];

const problemsOfEntry = (entry: ScriptEntry): string[] => [
  ...Object.keys(entry).filter((key) => !ENTRY_KEYS.includes(key)),
  ...Object.keys(entry.usage ?? {}).filter((key) => !USAGE.includes(key)),
  ...(OUTCOMES.filter((key) => key in entry).length === 1 ? [] : ['not exactly one outcome']),
  ...(entry.after === undefined || DURATION.test(entry.after) ? [] : [entry.after]),
  ...(entry.fail === undefined || isFailureCode(entry.fail.code) ? [] : [entry.fail.code]),
];

describe.each(scriptNames)('script %s', (name) => {
  const file = readScriptFile(name);

  it('has only keys of a script, and extends one that is there', () => {
    expect(Object.keys(file).filter((key) => !['extends', 'description', 'replies', 'people'].includes(key))).toEqual([]);
    expect(scriptNames).toContain(file.extends ?? name);
  });

  it('has only entries with exactly one outcome, known codes and units', () => {
    expect(
      Object.values(file.replies ?? {})
        .flat()
        .flatMap(problemsOfEntry),
    ).toEqual([]);
  });

  it('answers for steps that one pipeline has, all of them', () => {
    expect(playedBy(readMerged(name)).length).toBeGreaterThan(0);
  });

  it('has people only at gates, each with one choice', () => {
    for (const person of file.people ?? []) {
      expect(Object.keys(person).filter((key) => !['gate', 'after', ...CHOICES].includes(key))).toEqual([]);
      expect(CHOICES.filter((choice) => choice in person)).toHaveLength(1);
      const address = parseAddress(String(person['gate']));
      expect(address && GATES.includes(stepIdOf(address))).toBe(true);
    }
  });
});
