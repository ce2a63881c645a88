import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import { chargedMicroUsd } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { readAccountEntry } from '../../records/accounts/account-log';
import type { RunKey } from '../../records/ledger';
import { MemoryArtifacts, MemoryLedger } from '../../records/memory/memory-store';
import { dice } from '../support/simulation/dice';
import { sweepCount } from '../support/sweep';
import { runWhole, type WholeRun } from '../support/whole-run';
import { pricesFor, type SpendingServer, spendingServer } from './spending-server';

/**
 * A ceiling in dollars is never overrun where replies can be limited: whatever models cost, however much goes in parallel, and whatever the
 * service fails with, as long as it counts no more than the bound; and the accounts, of which `thermidor cost` is made, come to what the
 * budget has counted. The seeds are fixed; `THERMIDOR_FUZZ=n` tries n more, `THERMIDOR_SEED=n`
 * one alone.
 */
const SEEDS = sweepCount(40, 60) + Number(process.env['THERMIDOR_FUZZ'] ?? 0);
const MODEL = 'm';
const MICRO = 1_000_000;
/** Whatever the service fails with ends the run; nothing else does. */
const KNOWN_ENDS = ['run.aborted', 'model.api-error', 'model.overloaded', 'reply.invalid', 'reply.no-verdict', 'agent.turns-used-up'];

interface Case {
  run: WholeRun;
  server: SpendingServer;
  /** What the lines of all accounts come to. */
  accounted(): Promise<number>;
  ceiling: number;
}

function open(seed: number): Case {
  const chance = dice(seed, 'case');
  const prices = pricesFor(seed, MODEL);
  const server = spendingServer(seed, MODEL, prices);
  const ceiling = chance.pick([2_000, 20_000, 100_000, 500_000]);
  const branches = Array.from({ length: chance.whole(1, 8) }, (_, i) => {
    const prompt = 'p'.repeat(chance.pick([1, 300, 5000]));
    const budget = chance.chance(0.2) ? `, budget: {usd: ${(chance.pick([0.1, 0.3, 1]) * ceiling) / MICRO}}` : '';
    return `      - {id: b${i}, agent: w, prompt: ${prompt}, output: Report.json, repair: ${chance.whole(0, 2)}, on_error: continue${budget}}`;
  });
  const limits = chance.pick(['', 'limits: {reply_tokens: 400}', 'limits: {thinking_tokens: 2000}', 'limits: {reply_tokens: 3000}']);
  const review = chance.chance(0.4) ? '  - {id: check, type: review, agent: r, of: last, critic: w, on_error: continue}\n' : '';
  const pipeline = `budget: {usd: ${ceiling / MICRO}}\nsteps:\n  - id: all\n    type: parallel\n    wait: all\n    branches:\n${branches.join('\n')}
  - {id: last, agent: w, prompt: end, on_error: continue}\n${review}`;
  const definition = (role: string) => `role: ${role}\nmodel: ${MODEL}\ntools: [read_file]\n${limits}\n`;
  const files = {
    'agents/w.yaml': definition('w'.repeat(chance.pick([1, 2000]))),
    'agents/r.yaml': definition('Reviews.'),
    'schemas/Report.schema.json': '{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}',
  };
  const adapter = modelAdapter(server);
  const toolbox = { prices, adapters: new Map([['scripted', adapter]]), artifacts: new MemoryArtifacts(), ledger: new Accounts() };
  return { run: runWhole(pipeline, { files, toolbox }), server, accounted: () => toolbox.ledger.charged(), ceiling };
}

/** Knows which accounts were written. */
class Accounts extends MemoryLedger {
  private readonly accounts = new Map<string, RunKey>();

  override claim(run: RunKey, log: string, scheduledAtMs?: number): ReturnType<MemoryLedger['claim']> {
    if (log.endsWith('/account')) this.accounts.set(log, run);
    return super.claim(run, log, scheduledAtMs);
  }

  async charged(): Promise<number> {
    let sum = 0;
    for (const [log, run] of this.accounts) {
      for (const line of await this.lines(run, log)) {
        const entry = readAccountEntry(line);
        if (entry?.kind === 'paid') sum += chargedMicroUsd(entry.usage);
      }
    }
    return sum;
  }
}

async function holds(seed: number): Promise<number> {
  const { run, server, accounted, ceiling } = open(seed);
  let most = ceiling;
  for (let asked = 0; ; asked++) {
    await run.quiet();
    const isAtRest = () => run.status().state !== 'running' && run.retrying() === 0;
    if (!isAtRest()) await run.quiet(isAtRest);
    await run.quiet();
    const { state, budget } = run.status();
    const { spent = 0, reserved = 0 } = budget?.costMicroUsd ?? {};
    const seen = { seed, state, most, earned: server.earned(), spent, reserved };
    if (server.earned() > most || spent + reserved < server.earned()) throw new Error(`overrun: ${JSON.stringify(seen)}`);
    const entered = await accounted();
    if (entered !== spent) throw new Error(`the accounts come to ${entered}: ${JSON.stringify(seen)}`);
    if (state !== 'held') break;
    if (asked === 3) {
      run.signal('abort', { by: 'ann' });
      await run.quiet();
      break;
    }
    most = Math.round(most * dice(seed, 'more', asked).pick([1.1, 2, 5]));
    const own = dice(seed, 'more', asked).chance(0.5) ? { step: 'b0' } : {};
    await run.update('extend_budget', { usd: most / MICRO, by: 'ann', ...own }).catch(() => undefined);
    await run.update('extend_budget', { usd: most / MICRO, by: 'ann' }).catch(() => undefined);
  }
  const code = await run.result.then(
    () => undefined,
    (error: unknown) => (error instanceof ThermidorFailure ? error.code : String(error)),
  );
  if (code !== undefined && !KNOWN_ENDS.includes(code)) throw new Error(`seed ${seed} ends with ${code}`);
  return server.requests();
}

const alone = process.env['THERMIDOR_SEED'];
const chunks = alone === undefined ? Array.from({ length: Math.ceil(SEEDS / 20) }, (_, i) => 20 * i + 1) : [Number(alone)];

test.each(chunks)('a ceiling in dollars bounds what is spent: seeds from %d', async (first) => {
  let requests = 0;
  for (let seed = first; seed < first + (alone === undefined ? 20 : 1); seed++) requests += await holds(seed);
  if (alone === undefined) expect(requests).toBeGreaterThan(20);
});
