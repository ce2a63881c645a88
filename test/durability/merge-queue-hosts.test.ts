import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { Client, Connection } from '@temporalio/client';
import { takeTicket } from '../../activities/queue/take-ticket';
import { queuesOn } from '../../activities/queue/temporal-queues';
import type { QueueAsker } from '../../activities/queue-port';

import type { QueueView } from '../../plan/queue/queue-view';
import { type AskedBy, QUEUE_VIEW, type QueueTarget, type TicketOutcome } from '../../plan/queue/ticket';
import { openRecords } from '../../records/open-records';
import { queueId } from '../../records/queues/queue-id';
import { readOutcome } from '../../records/queues/queue-ledger';
import { type HttpRemote, serveHttp } from '../git/http-remote';
import { inSweep } from '../support/sweep';
import type { Program } from './support/program';
import { Scratch, SET_UP_MS } from './support/scratch';
import { until } from './support/until';

/**
 * Merge queues on two hosts, workers with homes and clones of their own, while hosts and the server die in the middle of a test and of a
 * push.
 */
let scratch: Scratch;
let address: string;
let connection: Connection;
let http: HttpRemote;

/** The first push of the branch by http, until it is let go. */
let heldPush: Buffer | undefined;
let letGo: () => void = () => undefined;
const untilLetGo = new Promise<void>((resolve) => {
  letGo = resolve;
});

beforeAll(async () => {
  scratch = await Scratch.make();
  address = await scratch.keepServer();
  connection = await Connection.connect({ address });
  http = await serveHttp(scratch.folder, {
    before(body) {
      if (heldPush || !body.includes(' refs/heads/main\0')) return undefined;
      heldPush = body;
      return untilLetGo;
    },
  });
  const rules = [`file://${scratch.path('lost.git')}`, `${http.url}/zombie.git`, scratch.path('both')].map(
    (repo, n) => `  q${n}: {repo: "${repo}", test: sh test.sh}\n`,
  );
  scratch.write('thermidor.yaml', `queues:\n${rules.join('')}`);
}, SET_UP_MS);
afterAll(async () => {
  letGo();
  await http.close();
  await connection.close();
  await scratch.close();
});

function git(folder: string, ...args: string[]): string {
  return execFileSync('git', ['-C', scratch.path(folder), '-c', 'user.name=a', '-c', 'user.email=a@localhost', ...args], {
    encoding: 'utf8',
  }).trim();
}

/** Prints its folder. The first one that runs next to a file `hang` does not end. */
const testScript = (name: string): string => `pwd >> '${scratch.path(`${name}-tests`)}'
if [ -e '${scratch.path(`${name}-hang`)}' ]; then rm '${scratch.path(`${name}-hang`)}'; sleep 600; fi
! grep -l bad *.txt`;

class Scene {
  readonly target: QueueTarget;
  private readonly ledger = openRecords({ stateDir: scratch.path('.thermidor') }).ledger;
  private readonly queueAsker: QueueAsker;

  constructor(
    readonly name: string,
    url?: string,
  ) {
    this.queueAsker = queuesOn(new Client({ connection }).workflow, this.taskQueue, (work) => work());
    scratch.write(`${name}/a.txt`, 'a\n');
    scratch.write(`${name}/test.sh`, testScript(name));
    git(name, 'init', '-q', '-b', 'main');
    git(name, 'add', '-A');
    git(name, 'commit', '-q', '-m', 'first');
    if (url === undefined) this.target = { repository: scratch.path(name), refsIn: 'repository', branch: 'main' };
    else {
      execFileSync('git', ['clone', '-q', '--bare', scratch.path(name), scratch.path(`${name}.git`)]);
      git(`${name}.git`, 'config', 'core.logAllRefUpdates', 'true');
      git(`${name}.git`, 'config', 'http.receivepack', 'true');
      this.target = { repository: url, refsIn: 'remote', branch: 'main' };
    }
  }

  private get taskQueue(): string {
    return `hosts-${this.name}`;
  }

  /** One activity at a time: work that a host has begun keeps it from taking more. */
  host(which: string): Program {
    const env = { HOME: scratch.path(`home-${this.name}-${which}`), THERMIDOR_WORKTREES: this.trees(which) };
    return scratch.thermidorWith(env, 'worker', '--agents', '1', '--address', address, '--task-queue', this.taskQueue);
  }

  trees(which: string): string {
    return scratch.path(`trees-${this.name}-${which}`);
  }

  leftOn(which: string): string[] {
    const path = `${this.trees(which)}/trees`;
    return existsSync(path) ? readdirSync(path) : [];
  }

  /** On which host each test began. */
  tests(): string[] {
    const hosts = ['a', 'b'];
    return scratch.lines(`${this.name}-tests`).map((folder) => hosts.find((which) => folder.startsWith(this.trees(which))) ?? folder);
  }

  /** All are made before the first is submitted: the queue moves the folder that they are made in, and refuses it while it has changes. */
  async submit(...names: string[]): Promise<void> {
    for (const made of names.map((name) => this.make(name))) await this.take(made);
  }

  /** Each is read before the next is submitted: hosts that read two at once may be done with the second one first. */
  async submitInOrder(...names: string[]): Promise<void> {
    for (const made of names.map((name) => this.make(name))) {
      await this.take(made);
      await until(`${made.name} is read`, async () => {
        const { waiting } = await new Client({ connection }).workflow.getHandle(queueId(this.target)).query<QueueView>(QUEUE_VIEW);
        return waiting.every(({ candidate }) => candidate !== undefined);
      });
    }
  }

  private async take({ name, candidate, ref }: { name: string; candidate: string; ref: string }): Promise<void> {
    const submission = { target: this.target, candidate, ref, title: name, author: 'ann', priority: 3 } as const;
    await takeTicket({ ledger: this.ledger, queueAsker: this.queueAsker }, this.asked(name), submission);
  }

  private make(name: string): { name: string; candidate: string; ref: string } {
    git(this.name, 'checkout', '-q', '--detach', 'main');
    scratch.write(`${this.name}/${name}.txt`, `${name}\n`);
    git(this.name, 'add', '-A');
    git(this.name, 'commit', '-q', '-m', name);
    const candidate = git(this.name, 'rev-parse', 'HEAD');
    const ref = `refs/thermidor/run/${name}/1`;
    git(this.name, 'push', '-q', this.isRemote ? scratch.path(`${this.name}.git`) : '.', `${candidate}:${ref}`);
    git(this.name, 'checkout', '-q', 'main');
    return { name, candidate, ref };
  }

  async untilOutcomes(...names: string[]): Promise<TicketOutcome['kind'][]> {
    const read = () => Promise.all(names.map((name) => readOutcome(this.ledger, queueId(this.target), this.asked(name))));
    const outcomes = await until(`outcomes of ${names.join(', ')}`, async () => {
      const found = await read();
      return !found.includes(undefined) && found;
    });
    return outcomes.flatMap((outcome) => outcome?.kind ?? []);
  }

  /** The commits to which the branch was moved, the oldest first, by their subjects. */
  advances(): string[] {
    const folder = this.isRemote ? `${this.name}.git` : this.name;
    return git(folder, 'reflog', 'main', '--format=%s').split('\n').reverse();
  }

  async untilNothingIsKept(): Promise<void> {
    const folder = this.isRemote ? `${this.name}.git` : this.name;
    await until('no ref of the queue is left', () => !git(folder, 'for-each-ref', '--format=%(refname)').includes('/queue/'));
  }

  private get isRemote(): boolean {
    return this.target.refsIn === 'remote';
  }

  private asked(name: string): AskedBy {
    return { workflowId: `run-${this.name}`, run: 'r', name };
  }
}

inSweep.describe('if a host dies in the middle of a test, or is stopped in the middle of a push, and then the server dies', () => {
  let lost: Scene;
  let zombie: Scene;
  let stopped: Program;
  let next: Program;

  // Both tests wait at the same time: a server takes half a minute to find that a worker is gone.
  beforeAll(async () => {
    lost = new Scene('lost', `file://${scratch.path('lost.git')}`);
    zombie = new Scene('zombie', `${http.url}/zombie.git`);
    scratch.write('lost-hang', '');
    const dying = lost.host('a');
    stopped = zombie.host('a');
    await lost.submit('c0');
    await zombie.submit('c0');
    await dying.until('a test is at work', () => lost.tests().length > 0);
    await stopped.until('the branch is being pushed', () => heldPush !== undefined);
    const other = lost.host('b');
    await lost.submit('c1');
    // Both are at work: the next one is tested on top of what is tested elsewhere.
    await other.until('the other host tests the next one', () => lost.tests().includes('b'));
    await dying.kill();
    stopped.signal('SIGSTOP');
    next = zombie.host('b');
    await scratch.killServer();
    // It comes back on its port.
    await scratch.json('queue');
    await lost.submit('c2');
  }, SET_UP_MS);

  test('the other one works on: each candidate lands once, and nothing is left', async () => {
    expect(await lost.untilOutcomes('c0', 'c1', 'c2')).toEqual(['merged', 'merged', 'merged']);
    expect(lost.advances()).toEqual(['Merge c0', 'Merge c1', 'Merge c2']);
    expect(lost.tests().slice(0, 3)).toEqual(['a', 'b', 'b']);
    await lost.untilNothingIsKept();
    expect(lost.leftOn('b')).toEqual([]);
  });

  test('a push that arrives late, and its host that comes back, move nothing', async () => {
    expect(await zombie.untilOutcomes('c0')).toEqual(['merged']);
    await zombie.submit('c1');
    expect(await zombie.untilOutcomes('c1')).toEqual(['merged']);
    await next.kill();
    letGo();
    stopped.signal('SIGCONT');
    // It does one piece of work at a time: by then it is done with the one in which it was stopped.
    await zombie.submit('c2');
    expect(await zombie.untilOutcomes('c2')).toEqual(['merged']);
    expect(zombie.advances()).toEqual(['Merge c0', 'Merge c1', 'Merge c2']);
    expect(zombie.tests()).toEqual(['a', 'b', 'a']);
    await zombie.untilNothingIsKept();
    expect(zombie.leftOn('a')).toEqual([]);
  });
});

inSweep.test('two hosts work on one path queue: each candidate lands once, and the folder that has the branch moves with it', async () => {
  const both = new Scene('both');
  const names = ['c0', 'c1', 'c2', 'c3', 'c4', 'c5'];
  for (const which of ['a', 'b']) both.host(which);
  await both.submitInOrder(...names, 'bad');
  expect(await both.untilOutcomes(...names, 'bad')).toEqual([...names.map(() => 'merged'), 'red']);
  expect(both.advances()).toEqual(['first', ...names.map((name) => `Merge ${name}`)]);
  expect(git('both', 'status', '--porcelain', '-uno')).toBe('');
  await both.untilNothingIsKept();
});
