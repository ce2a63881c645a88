import { ANTHROPIC } from '../../contract/harness/anthropic';
import { MODEL_LOOP } from '../../contract/harness/model-loop';
import { OPENAI } from '../../contract/harness/openai';
import type { AdapterUnderTest } from '../../contract/play';
import { disturbed, randomPlay, undisturbed } from './faults';

/**
 * Whatever happens, a fault costs one reply at most. Kills at any record or in any silence, connections cut before and within
 * replies, overload, lost completions. `THERMIDOR_SEED=n` runs one seed alone, `THERMIDOR_FUZZ=n` so many more.
 */
const alone = process.env['THERMIDOR_SEED'];
const more = Number(process.env['THERMIDOR_FUZZ'] ?? 0);

const UNDER: [string, AdapterUnderTest, number][] = [
  ['any service', MODEL_LOOP, 20 + more],
  ['anthropic', ANTHROPIC, 6 + more],
  ['openai', OPENAI, 6 + more],
];

function seeds(count: number): number[] {
  return alone === undefined ? Array.from({ length: count }, (_, n) => n + 1) : [Number(alone)];
}

describe.each(UNDER)('replies of %s', (_, under, count) => {
  const seen = new Set<string>();

  test.each(seeds(count))('are paid for at most once more for each fault: seed %i', async (seed) => {
    const play = randomPlay(seed);
    const whole = await undisturbed(under, play);
    const shaken = await disturbed(under, play, seed);
    for (const fault of shaken.faults) seen.add(fault.replace(/\d+/, 'n'));
    expect(shaken.said).toBe(whole.said);
    expect(shaken.toolCalls).toBe(whole.toolCalls);
    if (shaken.paid > whole.paid + shaken.faults.length)
      throw new Error(`${shaken.paid} replies were paid for, ${whole.paid} without: ${shaken.faults.join(', ')}`);
  });

  if (alone === undefined) {
    test('were disturbed by faults of every kind', () => {
      const kinds = [
        'completion lost',
        'killed after record n',
        'killed before record n',
        'killed in a silence',
        'model.api-error',
        'model.overloaded',
      ];
      expect([...seen].sort()).toEqual(kinds);
    });
  }
});
