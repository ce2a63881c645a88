import { args, type Effect, ref, type Sort, shell, tools } from './sort';

/** Longer than any proof. */
const ENDLESS = 'sleep 86400';

/** Those that a person orders to do something else while they are at work. */
export function orderedSorts(effect: Effect, origin: string): Readonly<Record<string, Sort>> {
  const tree = { repo: origin };
  const agents = { worker: { role: 'You work.', tools } };
  return {
    cancelled: {
      pipeline: {
        ...{ args, agents },
        steps: [
          { id: 'before', run: effect('before') },
          {
            ...{ id: 'busy', type: 'parallel' },
            branches: [
              { id: 'command', run: `${effect('command')}; ${ENDLESS}` },
              { id: 'tree', run: `echo draft > draft.txt; ${effect('tree')}; ${ENDLESS}`, worktree: tree },
              { id: 'ask', agent: 'worker', prompt: 'Work.' },
              { id: 'inner', pipeline: 'endless.yaml', with: { n: ref('args.n') } },
              {
                ...{ id: 'team', type: 'board', worktree: tree, merge: { into: 'main', test: 'sh test.sh' } },
                members: [{ name: 'alice', agent: 'worker' }],
                tasks: [{ name: 'one', subject: 'One' }],
              },
            ],
          },
          { id: 'never', run: effect('never') },
        ],
      },
      script: (_run, of) => ({
        replies: {
          ask: [{ calls: [shell(of('asked'), ENDLESS)], text: 'Done.' }],
          team_worker: [{ prompt: ['Task #1:'], calls: [shell(of('task'), ENDLESS)], text: 'Done.' }, { text: 'Nothing.' }],
        },
      }),
      effects: { before: 'before' },
      cutShort: { command: 'busy[0]/command', tree: 'busy[1]/tree', asked: 'busy[2]/ask', endless: 'only', task: 'busy[4]/team' },
      children: ['busy@3.inner'],
      order: 'cancel',
      decisions: 0,
      ends: 'cancelled',
    },
    endless: {
      pipeline: { args, steps: [{ id: 'only', run: `${effect('endless')}; ${ENDLESS}` }] },
      isChild: true,
      effects: {},
      decisions: 0,
      ends: 'cancelled',
    },
    paused: {
      pipeline: {
        ...{ args, agents },
        steps: [
          { id: 'before', run: effect('before') },
          { id: 'ask', agent: 'worker', prompt: 'Work.' },
          { id: 'each', for_each: '[1, 2, 3]', item_var: 'nth', steps: [{ id: 'part', run: effect(`item-${ref('nth')}`) }] },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: (_run, of) => ({ replies: { ask: [{ calls: [shell(of('asked'))], text: 'Done.' }] } }),
      effects: {
        ...{ before: 'before', last: 'finish' },
        ...{ 'item-1': 'each[0]/part', 'item-2': 'each[1]/part', 'item-3': 'each[2]/part' },
      },
      ofAgents: { asked: 'ask' },
      order: 'pause',
      decisions: 0,
      ends: 'completed',
    },
  };
}
