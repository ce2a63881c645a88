import { sweepCount } from '../support/sweep';
import { describeCase } from './describe-case';
import { makeScenario } from './plan-maker';
import { attempt, kindOf, shrink } from './shrink';

/**
 * Properties that hold for every pipeline, with any people and any crash (`auditor.ts`, `history.ts`, `examine.ts`). The
 * seeds are fixed; `THERMIDOR_FUZZ=n` tries n others, `THERMIDOR_SEED=n` one alone.
 */
const SEEDS = sweepCount(18, 252);
const IN_ONE_TEST = 18;
/**
 * Further seeds that have found faults: a run that ends while a cancelled agent is still stopping; a vote whose time is up when a fresh
 * execution continues it; a loop that is sent back while its output is composed; an execution that closes at the moment at which a loop
 * leaves its producer unread.
 */
const FOUND = [1_046_205_613, 6173, 21_267_107, 1_975_172_784];
/** The time for several cases and for making one smaller, on a busy machine as well. It ends a case that goes in circles. */
const PATIENCE_MS = 600_000;

async function holds(seeds: readonly number[]): Promise<void> {
  for (const seed of seeds) {
    const scenario = makeScenario(seed);
    const { violations } = await attempt(scenario);
    if (violations.length === 0) continue;
    const small = await shrink(scenario, kindOf(violations[0] ?? ''));
    const again = await attempt(small);
    throw new Error(describeCase(small, again.violations, again.played));
  }
}

const alone = process.env['THERMIDOR_SEED'];
const fuzz = Number(process.env['THERMIDOR_FUZZ'] ?? 0);

if (alone !== undefined) test(`seed ${alone}`, () => holds([Number(alone)]), PATIENCE_MS);
else {
  const chunks = Array.from({ length: SEEDS / IN_ONE_TEST }, (_, i) => i * IN_ONE_TEST + 1);
  test.each(chunks)(
    'whatever happens, what must hold holds: seeds from %d',
    (first) => holds(Array.from({ length: IN_ONE_TEST }, (_, i) => first + i)),
    PATIENCE_MS,
  );
  test('and in cases that have found something', () => holds(FOUND), PATIENCE_MS);
  if (fuzz > 0) {
    const first = Math.floor(Math.random() * 2 ** 31);
    test(`and with ${fuzz} others from ${first}`, () => holds(Array.from({ length: fuzz }, (_, i) => first + i)), fuzz * 10_000);
  }
}
