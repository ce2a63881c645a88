import { setTimeout as pause } from 'node:timers/promises';
import { PostgresServer } from '../../bench/store/postgres-server';
import type { JournalEntry } from '../../plan/run/journal';
import type { RunView } from '../../plan/run/status';
import type { PostgresPlace } from '../../records/postgres/postgres-place';
import type { Program } from '../durability/support/program';
import { journal, startDetached, untilStatus } from '../durability/support/runs';
import { Scratch } from '../durability/support/scratch';

/** Two hosts that share nothing but a Temporal server and a database, and the effects of their runs in a file that neither owns. */
export const HOSTS = ['a', 'b'] as const;
type Host = (typeof HOSTS)[number];

const SECRET = 'k'.repeat(32);
const ITEMS = [1, 2, 3];

/** The effects of one run, in the words of their lines: `first`, `item 1`, … Each has the step that makes it. */
export const EFFECTS: Readonly<Record<string, string>> = {
  ...{ first: 'first', second: 'second', asked: 'ask', child: 'only', last: 'last' },
  ...Object.fromEntries(ITEMS.map((n) => [`item-${n}`, `each[${n - 1}]/part`])),
};

export class FleetOnPostgres {
  private readonly workers = new Map<Host, Program>();

  private constructor(
    readonly scratch: Scratch,
    private readonly database: PostgresServer,
    private readonly place: PostgresPlace,
  ) {}

  static async start(): Promise<FleetOnPostgres> {
    const database = await PostgresServer.start({ settings: ['fsync=off'] });
    const place = await database.store();
    const scratch = await Scratch.onSharedServer({ THERMIDOR_TEST_KEY: SECRET });
    scratch.write(
      'thermidor.yaml',
      JSON.stringify({ store: place.url, store_schema: place.schema, callbacks: { secret: 'secret://env/THERMIDOR_TEST_KEY' } }),
    );
    writePipelines(scratch);
    return new FleetOnPostgres(scratch, database, place);
  }

  async close(): Promise<void> {
    try {
      await this.scratch.close();
    } finally {
      await this.database.stop();
    }
  }

  work(host: Host): void {
    const env = { HOME: this.scratch.path(`home-${host}`), THERMIDOR_WORKTREES: this.scratch.path(`trees-${host}`) };
    this.workers.set(host, this.scratch.thermidorWith(env, 'worker', '--state-dir', this.scratch.path(`state-${host}`)));
  }

  begin(n: number): Promise<string> {
    return startDetached(this.scratch, 'mixed', '--args-json', JSON.stringify({ n: `run-${n}` }), '--script', 'mixed');
  }

  async kill(host: Host): Promise<void> {
    await this.workers.get(host)?.kill();
    this.work(host);
  }

  async stopFor(host: Host, ms: number): Promise<void> {
    this.workers.get(host)?.signal('SIGSTOP');
    await pause(ms);
    this.workers.get(host)?.signal('SIGCONT');
  }

  async killDatabase(): Promise<void> {
    await this.database.kill('SIGKILL');
    await this.database.startAgain();
  }

  /** Answers the gate of a run, once it is open, and waits for the end of the run. */
  async seeThrough(run: string): Promise<RunView> {
    const gate = ({ state, steps }: RunView) => state !== 'running' || steps.some((one) => one.id === 'approve' && one.state === 'waiting');
    await untilStatus(this.scratch, run, 'its gate is open', gate);
    // The answer may get lost with what was killed: the next one finds the gate closed.
    await this.scratch.ask('approve', run, 'approve', '--by', 'ann');
    return await untilStatus(this.scratch, run, 'it ended', ({ state }) => state !== 'running' && state !== 'waiting');
  }

  /** What is wrong with ended runs: an effect that is missing, or was repeated without a word in the journal. */
  async faults(runs: readonly string[]): Promise<string[]> {
    const lines = this.scratch.lines('effects');
    const found: string[] = [];
    for (const [n, run] of runs.entries()) {
      const entries = await journal(this.scratch, run);
      const all = [...entries, ...(await journal(this.scratch, `${run}.inner`))];
      for (const [effect, step] of Object.entries(EFFECTS)) {
        const times = lines.filter((line) => line === `run-${n} ${effect}` || line === `${run} ${effect}`).length;
        if (times === 1 || (times === 2 && isNoted(all, step))) continue;
        found.push(`${run}: ${effect} happened ${times} times`);
      }
      const decisions = entries.filter(({ kind }) => kind === 'decision');
      if (decisions.length !== 1) found.push(`${run}: ${decisions.length} decisions`);
    }
    return found;
  }

  /** Fails if the slot of an agent is still held. */
  async expectNoSlotHeld(): Promise<void> {
    const { schema } = this.place;
    const held = `select 1 from "${schema}".slot union all select 1 from "${schema}".place_in_line`;
    await this.database.run(`do $$ begin if exists (${held}) then raise exception 'a slot is still held'; end if; end $$`);
  }
}

function isNoted(entries: readonly JournalEntry[], step: string): boolean {
  return entries.some((entry) => entry.kind === 'step' && entry.step.startsWith(step) && entry.reason?.includes('begun again') === true);
}

/** A reference of the pipeline's, and not of a template here. */
const ref = (name: string): string => `\${${name}}`;

function writePipelines(scratch: Scratch): void {
  const effect = (what: string): string => `sleep 0.1; echo "${ref('args.n')} ${what}" >> '${scratch.path('effects')}'`;
  const args = { n: { type: 'string' } };
  const agents = { worker: { role: 'You work.', tools: ['run'] } };
  const steps = [
    { id: 'first', run: effect('first') },
    { id: 'second', run: effect('second') },
    { id: 'ask', agent: 'worker', prompt: `Work on ${ref('args.n')}.` },
    { id: 'each', for_each: JSON.stringify(ITEMS), item_var: 'nth', steps: [{ id: 'part', run: effect(`item-${ref('nth')}`) }] },
    { id: 'inner', pipeline: 'child.yaml', with: { n: ref('args.n') } },
    { id: 'approve', type: 'approval', prompt: 'Shall it go on?' },
    { id: 'last', run: effect('last') },
  ];
  scratch.write('pipelines/mixed.yaml', JSON.stringify({ name: 'mixed', args, agents, steps }));
  scratch.write('pipelines/child.yaml', JSON.stringify({ name: 'child', args, steps: [{ id: 'only', run: effect('child') }] }));
  const says = `sleep 0.1; echo "$(basename "$(dirname "$PWD")") asked" >> '${scratch.path('effects')}'`;
  const reply = { text: 'Done.', calls: [{ tool: 'run', args: { argv: ['sh', '-c', says] } }] };
  scratch.write('pipelines/scripts/mixed.yaml', JSON.stringify({ replies: { ask: [reply] } }));
}
