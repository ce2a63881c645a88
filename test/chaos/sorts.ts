import { orderedSorts } from './ordered-sorts';
import { args, type Effect, effectOf, ref, type Sort, shell, tools } from './sort';
import { teamSorts } from './team-sorts';

/** @param effects the file; @param origin the URL of the repository that all hosts reach */
export function sorts(effects: string, origin: string): Readonly<Record<string, Sort>> {
  const effect: Effect = (word) => effectOf(ref('args.n'), effects)(word);
  return {
    steps: {
      pipeline: {
        args,
        agents: { worker: { role: 'You work.', tools } },
        steps: [
          { id: 'first', run: effect('first') },
          { id: 'second', run: effect('second') },
          { id: 'ask', agent: 'worker', prompt: `Work on ${ref('args.n')}.` },
          { id: 'each', for_each: '[1, 2, 3]', item_var: 'nth', steps: [{ id: 'part', run: effect(`item-${ref('nth')}`) }] },
          { id: 'inner', pipeline: 'child.yaml', with: { n: ref('args.n') } },
          { id: 'approve', type: 'approval', prompt: 'Shall it go on?' },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: (_run, of) => ({ replies: { ask: [{ calls: [shell(of('asked'))], text: 'Done.' }] } }),
      effects: {
        ...{ first: 'first', second: 'second', child: 'only', last: 'finish' },
        ...{ 'item-1': 'each[0]/part', 'item-2': 'each[1]/part', 'item-3': 'each[2]/part' },
      },
      ofAgents: { asked: 'ask' },
      children: ['inner'],
      decisions: 1,
      ends: 'completed',
    },
    child: {
      pipeline: { args, steps: [{ id: 'only', run: effect('child') }] },
      isChild: true,
      effects: { child: 'only' },
      decisions: 0,
      ends: 'completed',
    },
    loops: {
      pipeline: {
        args,
        agents: { writer: { role: 'You write.' }, editor: { role: 'You judge.' } },
        schemas: { 'Item.json': { type: 'object', properties: { id: { type: 'string' } } } },
        steps: [
          { id: 'make', run: `for id in a b c; do sleep 0.1; echo "::item:: {\\"id\\": \\"$id\\"}"; done`, emits: 'Item.json' },
          { id: 'all', for_each: { stream: 'make', key: 'id' }, steps: [{ id: 'use', run: effect(`used-${ref('item.id')}`) }] },
          { id: 'again', repeat: { until: 'round >= 2', max: 5, steps: [{ id: 'turn', run: effect(`round-${ref('round')}`) }] } },
          { id: 'draft', agent: 'writer', prompt: 'Write.' },
          { id: 'check', type: 'review', agent: 'editor', of: 'draft', on_revise: 'retry(draft, max=3)' },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: () => ({
        replies: {
          draft: [{ text: 'A draft.' }],
          check: [
            { round: 1, json: { verdict: 'revise', issues: [{ severity: 'high', description: 'Too short.' }], summary: 'Not yet.' } },
            { json: { verdict: 'pass', issues: [], summary: 'It is good.' } },
          ],
        },
      }),
      effects: {
        ...{ 'used-a': 'all[0]/use', 'used-b': 'all[1]/use', 'used-c': 'all[2]/use' },
        ...{ 'round-1': 'again[1]/turn', 'round-2': 'again[2]/turn', last: 'finish' },
      },
      decisions: 0,
      ends: 'completed',
    },
    votes: {
      pipeline: {
        args,
        owner: 'a',
        agents: { a: { role: 'Votes.' }, b: { role: 'Votes.' } },
        steps: [
          { id: 'decide', type: 'consensus', proposal: 'Shall we?', voters: ['a', 'b', 'person("cfo")'], timeout: '24h' },
          { id: 'finish', run: effect('last') },
        ],
      },
      script: () => {
        const ballot = [{ json: { proposalId: 'decide-1', vote: 'APPROVE', rationale: 'It is sound.' } }];
        return { replies: { decide_a: ballot, decide_b: ballot } };
      },
      effects: { last: 'finish' },
      decisions: 1,
      ends: 'completed',
    },
    ...teamSorts(effect, origin),
    ...orderedSorts(effect, origin),
    fails: {
      pipeline: {
        args,
        steps: [
          { id: 'before', run: effect('before') },
          { id: 'broken', run: `${effect('broken')}; exit 3` },
          { id: 'never', run: effect('never') },
        ],
      },
      effects: { before: 'before', broken: 'broken' },
      decisions: 0,
      ends: 'failed',
    },
    refused: {
      pipeline: {
        args,
        steps: [
          { id: 'before', run: effect('before') },
          { id: 'refuse', type: 'approval', prompt: 'Shall it go on?' },
          { id: 'never', run: effect('never') },
        ],
      },
      effects: { before: 'before' },
      decisions: 1,
      answers: { refuse: 'reject' },
      ends: 'rejected',
    },
  };
}
