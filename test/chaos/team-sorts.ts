import { args, type Effect, ref, type Sort, shell, tools } from './sort';

/** Those whose agents work together, most of them in worktrees of one repository. */
export function teamSorts(effect: Effect, origin: string): Readonly<Record<string, Sort>> {
  const tree = { repo: origin };
  return {
    team: {
      pipeline: {
        args,
        agents: { boss: { role: 'You manage.', tools }, engineer: { role: 'You write.', tools } },
        steps: [
          {
            ...{ id: 'build', type: 'caid', prompt: 'Write them.', repo: origin, into: 'main', manager: 'boss', test: 'sh test.sh' },
            engineers: { agent: 'engineer', max: 2 },
          },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: (run, of) => ({
        replies: {
          build_manager: [
            {
              json: {
                units: ['one', 'two', 'three'].map((id, i) => ({
                  ...{ id, title: `Unit ${id}`, description: `Write ${id}.`, files: [`${run}-${id}.txt`] },
                  ...{ depends_on: i === 2 ? ['one', 'two'] : [], acceptance: { command: 'sh test.sh' } },
                })),
              },
            },
          ],
          build_engineer: ['one', 'two', 'three'].map((id) => ({
            prompt: `"title": "Unit ${id}"`,
            calls: [shell(`echo ${id} > ${run}-${id}.txt`, of(`unit-${id}`))],
            json: { task_id: id, status: 'done', summary: 'Written.', tests: { command: 'sh test.sh', passed: 1, failed: 0 } },
          })),
          build_review: [{ json: { accepted: true, summary: 'All is there.', warnings: [] } }],
        },
      }),
      effects: { last: 'finish' },
      mayAsk: true,
      ofAgents: { 'unit-one': 'build', 'unit-two': 'build', 'unit-three': 'build' },
      lands: ['one', 'two', 'three'],
      decisions: 0,
      ends: 'completed',
    },
    crew: {
      pipeline: {
        args,
        agents: { worker: { role: 'You work.', tools } },
        steps: [
          {
            ...{ id: 'team', type: 'board', idle_timeout: '1s', worktree: tree, merge: { into: 'main', test: 'sh test.sh' } },
            members: ['alice', 'bob'].map((name) => ({ name, agent: 'worker' })),
            tasks: [
              { name: 'one', subject: 'One' },
              { name: 'two', subject: 'Two' },
              { name: 'both', subject: 'Both', blocked_by: ['one', 'two'] },
            ],
          },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: (run, of) => ({
        replies: {
          team_worker: [
            ...[1, 2, 3].map((id) => ({
              prompt: [`Task #${id}:`],
              calls: [
                shell(`echo ${id} > ${run}-${id}.txt`, of(`task-${id}`)),
                { tool: 'complete_task', args: { task_id: id, result: 'Done.' } },
              ],
              text: 'Done.',
            })),
            { text: 'Nothing.' },
          ],
        },
      }),
      effects: { last: 'finish' },
      mayAsk: true,
      ofAgents: { 'task-1': 'team', 'task-2': 'team', 'task-3': 'team' },
      lands: ['1', '2', '3'],
      decisions: 0,
      ends: 'completed',
    },
    site: {
      pipeline: {
        args,
        steps: [
          {
            id: 'brief',
            brief: {
              ...{ project: 'site', mode: 'gated', authorized_costs: ['shell_exec'], roles: ['planner', 'executor', 'reviewer'] },
              ...{ objective: 'A site.', deliverables: ['index.html'], constraints: 'None.' },
            },
          },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: (_run, of) => {
        const subtasks = [{ id: 'page', title: 'The page', instruction: 'Write it.', acceptance_criteria: ['It is there'] }];
        const executed = { kind: 'execution', subtask_id: 'page', output: 'Done.' };
        const judged = { kind: 'review', subtask_id: 'page', verdict: 'pass', rationale: 'I have read it.' };
        return {
          replies: {
            brief_planner: [{ json: { kind: 'plan', subtasks } }],
            brief_executor: [{ calls: [shell(of('page'))], json: executed }],
            brief_reviewer: [{ json: judged }],
          },
        };
      },
      effects: { last: 'finish' },
      ofAgents: { page: 'brief' },
      decisions: 2,
      answers: { brief_confirm: 'confirm' },
      ends: 'completed',
    },
    land: {
      pipeline: {
        args,
        steps: [
          {
            ...{ id: 'work', type: 'parallel' },
            branches: [
              { id: 'good', run: `echo good > ${ref('args.n')}-good.txt; ${effect('good')}`, worktree: tree },
              {
                id: 'mended',
                // Red in the merged tree, and good once it came back.
                run: `f=${ref('args.n')}-mended.txt; if [ -e $f ]; then echo good > $f; else echo bad > $f; fi`,
                ...{ worktree: tree, retry: { max: 2 } },
              },
            ],
          },
          { id: 'land', type: 'merge', from: ['good', 'mended'], into: 'main', test: 'sh test.sh' },
          { id: 'finish', run: effect('last') },
        ],
      },
      effects: { good: 'work[0]/good', last: 'finish' },
      lands: ['good', 'mended'],
      decisions: 0,
      ends: 'completed',
    },
  };
}
