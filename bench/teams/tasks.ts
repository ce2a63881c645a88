import type { Latency } from '../../kinds/caid/rules/bound';
import type { GraphUnit } from '../../kinds/caid/rules/task-graph';
import { seededMs } from '../caid/seeded';

/**
 * Sixteen tasks, of which four wait for two others each. Sleeps stand for an engineer's work and for the test of a merge, the same in every
 * run.
 */
const LEAVES = 12;
const COUNT = 16;
const SEED = 7;
const WORK_MS = [8000, 20_000] as const;
const TEST_MS = [500, 1500] as const;

export const TASKS: readonly GraphUnit[] = Array.from({ length: COUNT }, (_, i) => {
  const id = `task-${i + 1}`;
  const depends_on = i < LEAVES ? [] : [2 * (i - LEAVES), 2 * (i - LEAVES) + 1].map((at) => `task-${at + 1}`);
  const acceptance = { command: `sleep ${latencyOf(id).integrateMs / 1000}` };
  return { id, title: `Do ${id}`, description: `A file, ${id}.txt.`, files: [`${id}.txt`], depends_on, acceptance };
});

export function latencyOf(id: string): Latency {
  return { workMs: seededMs(SEED, `work ${id}`, WORK_MS), integrateMs: seededMs(SEED, `test ${id}`, TEST_MS) };
}

export const PIPELINE = 'team';

export function pipelineText(engineers: number): string {
  const build = {
    ...{ id: 'build', type: 'caid', prompt: 'Do all of it.', repo: 'repository', into: 'main', manager: 'lead' },
    ...{ engineers: { agent: 'dev', max: engineers }, test: 'true', limits: { rounds: COUNT + 1 } },
  };
  const agent = { role: 'You write files.', tools: ['write_file'] };
  return JSON.stringify({ name: PIPELINE, agents: { lead: agent, dev: agent }, steps: [build] });
}

/** The agents' replies, with their delays. */
export function scriptText(): string {
  const writes = (path: string) => [{ tool: 'write_file', args: { path, content: 'done\n' } }];
  const engineer = TASKS.map(({ id, title, files: [path = ''] }) => ({
    ...{ prompt: `"title": "${title}"`, after: `${latencyOf(id).workMs}ms`, calls: writes(path) },
    json: { task_id: id, status: 'done', summary: 'It is there.', tests: { command: 'true', passed: 1, failed: 0 } },
  }));
  const review = [{ json: { accepted: true, summary: 'All of it is there.', warnings: [] } }];
  const manager = [{ calls: writes('README.md'), json: { units: TASKS } }];
  return JSON.stringify({ replies: { build_manager: manager, build_engineer: engineer, build_review: review } });
}
