// Cases of people and operators: who may decide, who is asked next, orders to held steps, and a run that begins with another's results.
import { AGENTS, script } from './agents.mjs';

const CHAIN = `name: goes_up
${AGENTS}escalation: [boss, human]
steps:
  - {id: draft, run: "exit 3", on_error: escalate(boss)}
  - {id: told, run: echo told}
`;
const CATEGORY = `name: ships
requires_approval: {deploy: {approvers: [ann, bob, cleo], quorum: 2}}
steps:
  - {id: ship, run: echo shipped, category: deploy}
`;
const PROVEN = `name: proven
steps:
  - {id: sign, type: approval, approvers: [ann], identity: proven, comment: on_reject}
  - {id: second, type: approval, approvers: [bob]}
  - {id: told, run: echo told}
`;
const FOUR_EYES = `name: four_eyes
steps:
  - {id: sign, type: approval, approvers: [ann, bob], four_eyes: true, identity: proven}
  - {id: told, run: echo told}
`;
const HELD_PARENT = `name: held_parent
steps:
  - {id: before, run: echo before}
  - {id: sub, pipeline: held_child.yaml}
`;
const HELD_CHILD = `name: held_child
steps:
  - {id: build, run: "test -e mended && echo built", on_error: hold}
`;
const RERUN = `name: again
steps:
  - {id: fetch, run: echo fetched}
  - {id: build, run: "test -e mended && echo built", on_error: hold}
  - {id: ship, run: "echo \${build}"}
`;

const APPROVED = `name: approved
steps:
  - {id: quote, run: echo 1}
  - {id: ask, type: approval, prompt: "Pay?"}
  - {id: book, run: echo booked}
  - {id: pay, run: "test -e mended && echo paid \${quote}", on_error: hold}
`;

export const PEOPLE_CASES = [
  {
    name: 'agent-passes-on',
    guards: 'an escalation that an agent passes on to people',
    pipeline: {
      name: 'goes_up',
      source: CHAIN,
      others: { 'scripts/goes-up.yaml': script('  draft@boss: [{json: {decision: pass_on, rationale: not mine}}]\n') },
    },
    script: 'goes-up',
    async drive(run) {
      await run.gate('draft');
      await run.update('approve', { by: 'ann', comment: 'go on' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'category-by-quorum',
    guards: 'a category of action that needs two people',
    pipeline: { name: 'ships', source: CATEGORY },
    async drive(run) {
      await run.gate('ship');
      await run.update('approve', { by: 'ann' });
      await run.refusedUpdate('approve', { by: 'ann' });
      await run.signal('approve', { by: 'cleo' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'proven-and-delegated',
    guards: 'proofs of identity, and a delegation',
    pipeline: { name: 'proven', source: PROVEN },
    async drive(run) {
      await run.gate('sign');
      await run.refusedUpdate('approve', { step: 'sign', by: 'ann' });
      await run.sealed('approve', 'sign', 'ann', 'HISTORY_TOKEN_OF_ANN');
      await run.gate('second');
      await run.update('delegate', { step: 'second', by: 'bob', to: 'cleo' });
      await run.refusedUpdate('approve', { step: 'second', by: 'bob' });
      await run.signal('approve', { step: 'second', by: 'cleo' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'four-eyes',
    guards: 'a starter whose identity is a claim: two must agree',
    pipeline: { name: 'four_eyes', source: FOUR_EYES },
    input: { startedBy: 'cleo' },
    async drive(run) {
      await run.gate('sign');
      await run.sealed('approve', 'sign', 'ann', 'HISTORY_TOKEN_OF_ANN');
      await run.sealed('approve', 'sign', 'bob', 'HISTORY_TOKEN_OF_BOB');
    },
    ends: 'COMPLETED',
  },
  {
    name: 'orders-to-a-child',
    guards: 'orders to operators’ subjects within a child pipeline',
    pipeline: { name: 'held_parent', source: HELD_PARENT, others: { 'held_child.yaml': HELD_CHILD } },
    child: 'sub',
    async drive(run) {
      await run.step('sub', 'running');
      await run.someHeld();
      await run.signal('pause', { by: 'ops' });
      await run.signal('unpause', { by: 'ops' });
      run.write('mended');
      await run.update('retry', { step: 'sub/build', by: 'ops' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'rerun',
    guards: 'a rerun from a step',
    pipeline: { name: 'again', source: RERUN },
    rerun: { from: 'build' },
    async drive(run) {
      await run.step('build', 'held');
      run.write('mended');
      await run.update('retry', { step: 'build' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'other-inputs-are-asked-for',
    guards: 'a retry with other inputs asks for the approval again',
    pipeline: { name: 'approved', source: APPROVED },
    async drive(run) {
      await run.gate('ask');
      await run.update('approve', { by: 'ann' });
      await run.step('pay', 'held');
      run.write('mended');
      await run.update('retry', { step: 'pay', with: { quote: 1000 }, by: 'ops' });
      await run.gate('pay');
      await run.update('approve', { by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'rerun-asks-again',
    guards: 'a rerun whose args changed asks again',
    pipeline: { name: 'approved', source: APPROVED },
    rerun: { from: 'pay', again: ['pay'], changed: { 'arg amount': ['pay'] } },
    async drive(run) {
      run.write('mended');
      await run.gate('ask');
      await run.update('approve', { by: 'ann' });
    },
    async driveRerun(run) {
      await run.gate('ask');
      await run.update('approve', { by: 'ann' });
    },
    ends: 'COMPLETED',
  },
];
