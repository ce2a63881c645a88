import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratchFolder } from '../support/scratch-folder';
import { runWhole } from '../support/whole-run';

/** Swarms with the real activities and stores: the questions to agents, and the effect of their answers. */
const PIPELINE = `owner: w
steps:
  - {id: deploy, run: "test -e mended || { echo red >&2; exit 3; }", cwd: CWD, on_error: [swarm(mob), stop]}
  - {id: mob, type: swarm, agents: {w: implementation, r: environment}, verify: "true", on_fail: stop}
output: mob
`;

describe('a whole swarm', () => {
  it('CP-7 · workflow · each agent gets the issue and its perspective, the fixer what is to be applied and what was tried', async () => {
    const folder = scratchFolder();
    const run = runWhole(PIPELINE.replace('CWD', folder), {
      script: `replies:
  mob_w: [{json: {root_cause: a file is missing in src/a.ts, confidence: 0.4, fix_suggestion: write it}}]
  mob_r: [{json: {root_cause: the disk is full, confidence: 0.8, fix_suggestion: delete a log}}]
  mob_fix_r: [{json: {applied: true, summary: deleted}}]
`,
    });
    await run.quiet(() => run.requests.some(({ stepId }) => stepId.includes('mob_fix_r')));
    writeFileSync(join(folder, 'mended'), '');
    await run.quiet();
    const asked = (step: string) => run.requests.find(({ stepId }) => stepId.includes(step))?.prompt ?? '';
    expect(asked('mob_w')).toContain('Yours is: implementation');
    expect(asked('mob_w')).toContain('step deploy failed: command.failed');
    expect(asked('mob_fix_r')).toContain('delete a log');
    expect(asked('mob_fix_r')).toContain('a file is missing');
  });

  it('CP-7 · entry · a diagnosis with a confidence of 7 or "high" is asked for again, and counts', async () => {
    const run = runWhole(
      'owner: w\nsteps:\n  - {id: mob, type: swarm, issue: It is red., agents: {w: tests, r: disks}, verify: "true"}\noutput: mob\n',
      {
        script: `replies:
  mob_w: [{ask: 1, json: {root_cause: x, confidence: 7, fix_suggestion: y}}, {ask: 2, json: {root_cause: x, confidence: 0.7, fix_suggestion: y}}]
  mob_r: [{ask: 1, json: {root_cause: x, confidence: high, fix_suggestion: z}}, {ask: 2, json: {root_cause: x, confidence: 0.6, fix_suggestion: z}}]
  mob_fix_w: [{json: {applied: true, summary: done}}]
`,
      },
    );
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: { outcome: 'solved', by: 'w', solution: 'done', rounds: [{ skipped: [], diagnoses: [{ by: 'w' }, { by: 'r' }] }] },
    });
  });

  it('CP-7 · workflow · of the paths that are named only those count that exist where the step works', async () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'a b.ts'), '');
    writeFileSync(join(folder, 'real.ts'), '');
    mkdirSync(join(folder, 'src'));
    const run = runWhole(
      `owner: w\ncwd: ${folder}\nsteps:\n  - {id: mob, type: swarm, issue: It is red., agents: {w: tests, r: disks}, verify: "true"}\noutput: mob\n`,
      {
        script: `replies:
  mob_w: [{json: {root_cause: gone.ts and lost.ts, confidence: 0.7, fix_suggestion: "$(touch x.ts)"}}]
  mob_r: [{json: {root_cause: real.ts, confidence: 0.7, fix_suggestion: see src/}}]
  mob_fix_r: [{json: {applied: true, summary: done}}]
`,
      },
    );
    await run.quiet();
    await expect(run.result).resolves.toMatchObject({
      output: {
        by: 'r',
        rounds: [
          {
            candidates: [
              { by: 'r', paths: ['real.ts'] },
              { by: 'w', paths: [] },
            ],
          },
        ],
      },
    });
  });
});
