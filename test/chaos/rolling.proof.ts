import { setTimeout as pause } from 'node:timers/promises';
import { type Build, otherBuild, thisBuild, untilVersion } from '../durability/support/builds';
import { SET_UP_MS } from '../durability/support/scratch';
import { until } from '../durability/support/until';
import { aloud, printTable } from './aloud';
import { atOnce, carry, SPOTLESS } from './carry';
import { Fleet } from './fleet';
import { HOSTS, MOST_MS, RUNS, STORES_TO_PROVE } from './sizes';

/** `npm run chaos`: the four workers are restarted in order, one after the other, again and again while runs of every sort are at work. */
const BETWEEN_MS = 2000;
/** Above what the longest step takes on a busy machine. */
const GRACE_S = 120;

const WAYS = ['the same version', 'two versions in turn'] as const;
const PROOFS = STORES_TO_PROVE.flatMap((store) => WAYS.map((way) => ({ store, way })));

describe.each(PROOFS)('store: $store, $way', ({ store, way }) => {
  let fleet: Fleet;
  let builds: Build[];
  beforeAll(async () => {
    fleet = await Fleet.start(store, HOSTS, { graceS: GRACE_S, say: aloud });
    builds = way === 'the same version' ? [thisBuild()] : [thisBuild(), otherBuild(fleet.scratch.path('other'))];
  }, SET_UP_MS);
  afterAll(() => fleet.close());

  /** The build that a round of restarts brings to all hosts. */
  const buildOf = (round: number): Build => builds[(round + 1) % builds.length] ?? thisBuild();

  async function roll(over: AbortSignal): Promise<{ restarts: number; rounds: number }> {
    let restarts = 0;
    let rounds = 0;
    for (; ; rounds += 1) {
      const build = buildOf(rounds);
      for (const host of fleet.hosts) {
        await pause(BETWEEN_MS, undefined, { signal: over }).catch(() => undefined);
        if (over.aborted) return { restarts, rounds };
        fleet.say(`restart ${restarts}: ${host.name} with ${build.version}`);
        await host.restart(build.main);
        // One that is stopped before it works is silent for as long as a dead one, and loses its worktrees.
        await host.atWork();
        restarts += 1;
        // In every other round by a person, while half of the hosts still have the old one; else by the last of these.
        if (builds.length > 1 && restarts % (2 * HOSTS.length) === HOSTS.length / 2) await promote(build);
      }
      await untilVersion(fleet.scratch, build, 'current');
    }
  }

  async function promote(build: Build): Promise<void> {
    // Its workers have only been started.
    await until(`${build.version} is promoted`, async () => (await fleet.scratch.ask('fleet', 'promote', build.version)).code === 0);
  }

  test(
    'no step fails, and none is repeated, while all workers are restarted',
    async () => {
      const { verdict, happened, tookMs } = await carry(fleet, { supply: atOnce(RUNS), mostMs: MOST_MS, mayRepeat: false }, roll);
      printTable(`${RUNS} runs in a rolling restart, store: ${store}, ${way}`, {
        restarts: happened.restarts,
        ...(builds.length > 1 && { 'changes of the current version': happened.rounds }),
        'seconds until all had ended': Math.round(tookMs / 1000),
      });
      expect(verdict).toEqual(SPOTLESS);
    },
    MOST_MS,
  );
});
