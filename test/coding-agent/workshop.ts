import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERFORM } from '../../activities/perform';
import type { RunView } from '../../plan/run/status';
import type { Json } from '../../plan/text/json';
import { openRecords } from '../../records/open-records';
import { createToolbox } from '../../worker/toolbox';
import type { MemoryCall, MemoryRun } from '../../workflows/memory/memory-run';
import { runInMemory } from '../../workflows/memory/run-context';
import { scratchFolder, writeFiles } from '../support/scratch-folder';

/** The template's pipeline on a real repository, with real git, the real activities and tools; only Temporal is memory. */

const TEMPLATE = join(__dirname, '../../examples/templates/coding-agent/pipelines');

const before = { ...process.env };
beforeAll(() => {
  // Settings of git that are independent of the machine's.
  process.env['HOME'] = scratchFolder();
});
afterAll(() => {
  process.env = before;
});

export interface Repository {
  path: string;
  /** Its standard output, without a line break at the end. */
  git(...args: string[]): string;
  write(name: string, text: string): void;
  head(): string;
}

export function emptyRepository(path = join(scratchFolder(), 'my project')): Repository {
  mkdirSync(path, { recursive: true });
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: path, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).replace(/\n$/, '');
  const write = (name: string, text: string) => void writeFiles({ [name]: text }, path);
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Ann');
  git('config', 'user.email', 'ann@example.org');
  return { path, git, write, head: () => git('rev-parse', 'HEAD') };
}

/** With one commit: `a.txt`, `old.txt`, `.gitignore`, and an ignored `.env`. */
export function repository(): Repository {
  const made = emptyRepository();
  made.write('a.txt', 'one\n');
  made.write('old.txt', 'old\n');
  made.write('.gitignore', '.env\nbuild/\n');
  made.git('add', '-A');
  made.git('commit', '-qm', 'first');
  made.write('.env', 'PASSWORD=hush\n');
  return made;
}

export interface Played {
  run: MemoryRun;
  status(): RunView;
  /** The output of a step, as text. */
  output(step: string): Promise<string>;
  /** What a gate shows below its question. */
  preview(): Promise<string>;
  readonly notices: string[];
  /** The task of each request to the agent. */
  readonly asked: string[];
}

/** What the agent does, as `sh` runs it in the repository. */
export async function play(where: string, deeds: string, { task = 'Do it' } = {}): Promise<Played> {
  const root = scratchFolder();
  cpSync(TEMPLATE, join(root, 'pipelines'), { recursive: true });
  const call = { tool: 'run', args: { argv: ['sh', '-ec', deeds] } };
  writeFileSync(join(root, 'pipelines/scripts/deeds.yaml'), JSON.stringify({ replies: { change: [{ calls: [call], text: 'Done.' }] } }));
  const notices: string[] = [];
  const asked: string[] = [];
  const base = createToolbox({
    records: openRecords({ stateDir: join(root, 'state') }),
    ...{ stateDir: join(root, 'state'), pipelineDirs: [join(root, 'pipelines')], channels: {}, defaultAdapter: 'scripted' },
    ...{ searchAttributes: [], log: () => undefined },
  });
  const scripted = base.adapters.get('scripted');
  if (!scripted) throw new Error('no scripted adapter');
  const toolbox: typeof base = {
    ...base,
    channelAdapters: [{ name: 'test', serves: () => true, deliver: async ({ text }) => void notices.push(text) }],
    adapters: new Map([
      [
        'scripted',
        {
          ...scripted,
          name: 'scripted',
          run: (request, signal) => {
            asked.push(request.prompt);
            return scripted.run(request, signal);
          },
        },
      ],
    ]),
  };
  let working = 0;
  let wake: () => void = () => undefined;
  const args: Record<string, Json> = { task, repo: where };
  const perform = async (call: MemoryCall): Promise<unknown> => {
    working += 1;
    const key = { workflowId: call.info.workflowId, run: call.info.firstRunId };
    const activity = { key, id: call.options.address ?? call.name, attempt: 1, signal: call.signal, heartbeat: () => undefined };
    try {
      return await PERFORM[call.name](toolbox, activity, call.input as never);
    } finally {
      working -= 1;
      wake();
    }
  };
  const run = runInMemory({
    ...{ workflowType: 'coding-agent', workflowId: 'test', input: { script: 'deeds', args } },
    perform: (call) => perform(call) as never,
  });
  run.result.catch(() => undefined);
  const quiet = async () => {
    for (let idle = 0; idle < 3; ) {
      await run.settle();
      if (working === 0) idle += 1;
      else
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
    }
  };
  const status = () => run.query('status') as RunView;
  const text = async (ref: { sha256: string } | undefined) => (ref === undefined ? '' : (await toolbox.artifacts.get(ref)).toString());
  await quiet();
  return {
    run: { ...run, settle: quiet },
    status,
    notices,
    asked,
    output: async (step) => await text(status().steps.find(({ id }) => id === step)?.artifact),
    preview: async () => JSON.parse((await text(status().gates[0]?.form)) || '{}').preview ?? '',
  };
}

export async function decide({ run }: Played, choice: 'approve' | 'reject'): Promise<void> {
  run.signal(choice, { step: 'approve', by: 'ann' });
  await run.settle();
}

/** State and message of a step. */
export function stepOf(played: Played, id: string): { state: string; message: string } {
  const found = played.status().steps.find((step) => step.id === id);
  return { state: found?.state ?? 'none', message: found?.error?.message ?? '' };
}
