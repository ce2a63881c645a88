import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { ActivityCall } from '../../activities/activity-call';
import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { PERFORM_QUEUE } from '../../activities/queue/perform-queue';
import { takeTicket } from '../../activities/queue/take-ticket';
import type { WorkerToolbox } from '../../activities/toolbox';
import { DEFAULT_QUEUE_SETTINGS, type QueueSettings } from '../../plan/queue/queue-settings';
import type { AskedBy, QueueTarget, Submission } from '../../plan/queue/ticket';
import { openRecords } from '../../records/open-records';
import { queueId } from '../../records/queues/queue-id';
import { recordBuilt, recordTested } from '../../records/queues/queue-ledger';
import { createMergeHost } from '../../worker/queues/merge-host';
import { hostId } from '../../worker/worktrees/host-id';
import { createHostWorktrees } from '../../worker/worktrees/host-worktrees';
import { commitOn, type Files, never, newGit, newRepository, scratchFolder, sh } from '../git/scene';
import { PORTS } from '../worktrees/host-scene';

const TESTS = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'test.sh': 'for f in *.txt; do grep -q bad "$f" && { echo "$f is bad"; exit 1; }; done; echo "tests: 2"\n',
};

const RUN = { workflowId: 'run-1', run: 'r1' };

/** A repository with a queue for `main`, on one host. */
export class QueueScene {
  readonly folder: string;
  readonly target: QueueTarget;
  readonly woken: AskedBy[] = [];
  readonly stateDir = join(scratchFolder(), 'state');
  readonly ledger = openRecords({ stateDir: this.stateDir }).ledger;
  readonly artifacts = openRecords({ stateDir: this.stateDir }).artifacts;
  readonly control = openRecords({ stateDir: this.stateDir }).control;
  /** The rules of the workers. */
  rules: QueueSettings = { ...DEFAULT_QUEUE_SETTINGS, timeoutMs: 20_000 };
  private asked = 0;

  constructor({ files = TESTS, remote = false }: { files?: Files; remote?: boolean } = {}) {
    this.folder = newRepository(files);
    const bare = join(scratchFolder(), 'origin.git');
    if (remote) {
      execFileSync('git', ['clone', '--quiet', '--bare', this.folder, bare]);
      sh(this.folder, 'remote', 'add', 'origin', `file://${bare}`);
      this.target = { repository: `file://${bare}`, refsIn: 'remote', remote: { name: 'origin', checkout: '.' }, branch: 'main' };
    } else {
      this.target = { repository: join(this.folder, '.git').replace(/\/\.git$/, ''), refsIn: 'repository', branch: 'main' };
    }
  }

  /** The toolbox of a worker that has its own folder of worktrees and clones. */
  toolbox(root = join(scratchFolder(), 'worktrees')): WorkerToolbox {
    const options = {
      git: newGit(),
      settings: { folder: root, ports: PORTS },
      id: () => hostId(root),
      storeId: async () => '/state',
      namespace: 'default',
      taskQueue: 'thermidor',
      workFolder: this.folder,
      environment: { PATH: process.env['PATH'] },
    };
    const presence = { workers: async () => [], isAlive: async () => true, announce: async () => () => Promise.resolve() };
    const box: Partial<WorkerToolbox> = {
      ...{
        ledger: this.ledger,
        artifacts: this.artifacts,
        control: this.control,
        processes: new GroupProcessRunner(),
        secrets: { resolve: async () => '' },
      },
      worktrees: createHostWorktrees({ ...options, presence }),
      mergeHost: createMergeHost({ ...options, rules: () => this.rules }),
      queueAsker: {
        ask: async () => ({ number: ++this.asked }),
        drop: async () => undefined,
        wake: async (asked) => void this.woken.push(asked),
      },
      log: () => undefined,
    };
    return box as WorkerToolbox;
  }

  call(signal = never, target = this.target): ActivityCall {
    return { key: { workflowId: queueId(target), run: 'q1' }, id: 'x', attempt: 1, signal, heartbeat: () => undefined };
  }

  /** Makes a commit on top of main that a ref of its run keeps. */
  candidate(name: string, files: Files): string {
    const ref = `refs/thermidor/run/${name}/1`;
    const id = commitOn(this.folder, 'main', files, name, ref);
    if (this.target.refsIn === 'remote') sh(this.folder, 'push', '--quiet', 'origin', `${id}:${ref}`);
    return id;
  }

  async submit(name: string, files: Files, more: Partial<Submission> = {}, run = RUN): Promise<AskedBy> {
    const asked = { ...run, name };
    const submission = {
      target: this.target,
      candidate: this.candidate(name, files),
      title: name,
      author: 'engineer',
      priority: 3,
      ...more,
    } as const;
    await takeTicket(this.toolbox(), asked, submission);
    return asked;
  }

  async merge(asked: AskedBy[], more: { onto?: string; settings?: Partial<QueueSettings> } = {}, box = this.toolbox()) {
    const candidates = asked.map((one, i) => ({ ticket: i + 1, asked: one }));
    this.rules = { ...this.rules, ...more.settings };
    const onto = more.onto === undefined ? {} : { onto: more.onto };
    await this.built(...Object.values(onto));
    return await PERFORM_QUEUE.mergeCandidates(box, this.call(), {
      run: 'q1',
      target: this.target,
      ...onto,
      candidates,
      atMs: 1_700_000_000_000,
    });
  }

  /** Records that the queue has merged these commits, or has merged onto them. */
  async built(...commits: string[]): Promise<void> {
    await recordBuilt(this.ledger, queueId(this.target), commits);
  }

  /** Records that the queue has tested these commits, by the rules of the workers. */
  async green(...commits: string[]): Promise<void> {
    for (const one of commits) await recordTested(this.ledger, queueId(this.target), one, this.rules);
  }

  async test(commitId: string, settings: Partial<QueueSettings>, asked: AskedBy[] = [], box = this.toolbox(), onto?: string) {
    const candidates = asked.map((one, i) => ({ ticket: i + 1, asked: one }));
    const input = {
      run: 'q1',
      attempt: 1,
      target: this.target,
      commit: commitId,
      ...(onto === undefined ? {} : { onto }),
      candidates,
    };
    this.rules = { ...DEFAULT_QUEUE_SETTINGS, timeoutMs: 20_000, ...settings };
    await this.built(commitId, ...(onto === undefined ? [] : [onto]));
    return await PERFORM_QUEUE.testMerged(box, this.call(), input);
  }

  async advance(from: string, to: string, asked: AskedBy, box = this.toolbox()) {
    const candidates = [{ ticket: 1, asked, commit: to }];
    await this.green(to);
    return await PERFORM_QUEUE.advanceTarget(box, this.call(), { run: 'q1', target: this.target, from, to, candidates });
  }

  head(): string {
    const { repository, refsIn } = this.target;
    return refsIn === 'remote' ? sh(repository.replace('file://', ''), 'rev-parse', 'main') : sh(this.folder, 'rev-parse', 'main');
  }
}
