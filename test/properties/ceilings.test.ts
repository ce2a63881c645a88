import { modelAdapter } from '../../activities/adapters/model/model-adapter';
import type { AmountKind } from '../../plan/budgets/budget';
import { chargedMicroUsd, chargedTokens, type Usage } from '../../plan/budgets/usage';
import { ThermidorFailure } from '../../plan/run/failure';
import { readAccountEntry } from '../../records/accounts/account-log';
import type { RunKey } from '../../records/ledger';
import { MemoryArtifacts, MemoryLedger } from '../../records/memory/memory-store';
import { dice } from '../support/simulation/dice';
import { sweepCount } from '../support/sweep';
import { runWhole, type WholeRun } from '../support/whole-run';
import { pricesFor, type SpendingServer, spendingServer } from './spending-server';

/**
 * If replies can be limited, a ceiling in tokens or dollars is never exceeded: for any price of models, any parallel work, any failure of
 * the service and any usage that it reports, as long as it counts no more than the bound. The sum of the accounts, which `thermidor cost`
 * shows, equals the count of the budget. The seeds are fixed; `THERMIDOR_FUZZ=n` tries n more, `THERMIDOR_SEED=n` one alone.
 */
const SEEDS = sweepCount(20, 60) + Number(process.env['THERMIDOR_FUZZ'] ?? 0);
const MODEL = 'm';
const MICRO = 1_000_000;
/** The run ends only by failures of the service. */
const KNOWN_ENDS = ['run.aborted', 'model.api-error', 'model.overloaded', 'reply.invalid', 'reply.no-verdict', 'agent.turns-used-up'];

interface Case {
  run: WholeRun;
  server: SpendingServer;
  /** The sum of the lines of all accounts. */
  accounted(): Promise<number>;
  ceiling: number;
}

/** The forms of a ceiling, by what is counted. */
const CEILINGS = {
  tokens: { of: (tokens: number) => ({ tokens }), pick: [3_000, 10_000, 60_000, 300_000], charged: chargedTokens },
  costMicroUsd: { of: (amount: number) => ({ usd: amount / MICRO }), pick: [2_000, 20_000, 100_000, 500_000], charged: chargedMicroUsd },
} as const;

function open(kind: AmountKind, seed: number): Case {
  const { of, pick, charged } = CEILINGS[kind];
  const chance = dice(seed, 'case');
  const prices = pricesFor(seed, MODEL);
  const server = spendingServer(seed, MODEL, prices);
  const ceiling = chance.pick(pick);
  const branches = Array.from({ length: chance.whole(1, 8) }, (_, i) => {
    const prompt = 'p'.repeat(chance.pick([1, 300, 5000]));
    const budget = chance.chance(0.2) ? `, budget: ${JSON.stringify(of(chance.pick([0.1, 0.3, 1]) * ceiling))}` : '';
    return `      - {id: b${i}, agent: w, prompt: ${prompt}, output: Report.json, repair: ${chance.whole(0, 2)}, on_error: continue${budget}}`;
  });
  const limits = chance.pick(['', 'limits: {reply_tokens: 400}', 'limits: {thinking_tokens: 2000}', 'limits: {reply_tokens: 3000}']);
  const review = chance.chance(0.4) ? '  - {id: check, type: review, agent: r, of: last, critic: w, on_error: continue}\n' : '';
  const pipeline = `budget: ${JSON.stringify(of(ceiling))}\nsteps:\n  - id: all\n    type: parallel\n    wait: all\n    branches:\n${branches.join('\n')}
  - {id: last, agent: w, prompt: end, on_error: continue}\n${review}`;
  const definition = (role: string) => `role: ${role}\nmodel: ${MODEL}\ntools: [read_file]\n${limits}\n`;
  const files = {
    'agents/w.yaml': definition('w'.repeat(chance.pick([1, 2000]))),
    'agents/r.yaml': definition('Reviews.'),
    'schemas/Report.schema.json': '{"type":"object","required":["ok"],"properties":{"ok":{"type":"boolean"}}}',
  };
  const adapter = modelAdapter(server);
  const toolbox = { prices, adapters: new Map([['scripted', adapter]]), artifacts: new MemoryArtifacts(), ledger: new Accounts() };
  return { run: runWhole(pipeline, { files, toolbox }), server, accounted: () => toolbox.ledger.sum(charged), ceiling };
}

/** A ledger that notes which accounts were written. */
class Accounts extends MemoryLedger {
  private readonly accounts = new Map<string, RunKey>();

  override claim(run: RunKey, log: string, scheduledAtMs?: number): ReturnType<MemoryLedger['claim']> {
    if (log.endsWith('/account')) this.accounts.set(log, run);
    return super.claim(run, log, scheduledAtMs);
  }

  async sum(charged: (usage: Usage) => number): Promise<number> {
    let sum = 0;
    for (const [log, run] of this.accounts) {
      for (const line of await this.lines(run, log)) {
        const entry = readAccountEntry(line);
        if (entry?.kind === 'paid') sum += charged(entry.usage);
      }
    }
    return sum;
  }
}

async function holds(kind: AmountKind, seed: number): Promise<number> {
  const { run, server, accounted, ceiling } = open(kind, seed);
  const { of } = CEILINGS[kind];
  let most = ceiling;
  for (let asked = 0; ; asked++) {
    const isAtRest = () => run.status().state !== 'running' && run.retrying() === 0;
    // Work that goes on until the run is at rest may itself have to be tried again.
    for (await run.quiet(); !isAtRest(); await run.quiet()) await run.quiet(isAtRest);
    const { state, budget } = run.status();
    const { spent = 0, reserved = 0 } = budget?.[kind] ?? {};
    const billed = server.billed()[kind];
    const seen = { seed, state, most, billed, spent, reserved };
    if (billed > most || spent + reserved < billed) throw new Error(`overrun: ${JSON.stringify(seen)}`);
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
    await run.update('extend_budget', { ...of(most), by: 'ann', ...own }).catch(() => undefined);
    await run.update('extend_budget', { ...of(most), by: 'ann' }).catch(() => undefined);
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

const cases = chunks.flatMap((first) => (['tokens', 'costMicroUsd'] as const).map((kind) => [kind, first] as const));

test.each(cases)('a ceiling in %s bounds what is spent: seeds from %d', async (kind, first) => {
  let requests = 0;
  for (let seed = first; seed < first + (alone === undefined ? 20 : 1); seed++) requests += await holds(kind, seed);
  if (alone === undefined) expect(requests).toBeGreaterThan(20);
});
