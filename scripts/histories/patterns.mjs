// Collaboration patterns: their parts, rules and rounds.
const AGENTS = 'agents: {lead: {role: Leads.}, sec: {role: Votes.}, ops: {role: Votes.}}\n';
const VOTE = `name: pick
owner: lead
${AGENTS}steps:
  - id: decide
    type: consensus
    proposal: {title: Which?, options: [{id: A}, {id: B}]}
    voters: [sec, ops, person("ann")]
    timeout: 30m
  - {id: go, agent: ops, when: decide.passed}
`;
const VOTE_SCRIPT = `replies:
  decide_sec:
    - {iteration: 1, json: {proposalId: decide-1, vote: APPROVE, option: A, rationale: known, conditions: [test it]}}
    - {iteration: 2, json: {proposalId: decide-2, vote: APPROVE, option: B, rationale: agreed}}
  decide_ops:
    - {iteration: 1, json: {proposalId: decide-1, vote: REJECT, rationale: too slow}}
    - {iteration: 2, json: {proposalId: decide-2, vote: APPROVE, option: B, rationale: agreed}}
  decide_revise: [{json: {title: Which now?, options: [{id: A}, {id: B}]}}]
  go: [{text: done}]
`;
/** Fewer than half vote in time, then all who vote abstain, and nobody is left to pass it. */
const SILENCE = `name: quiet
owner: lead
${AGENTS}steps:
  - {id: decide, type: consensus, proposal: Shall we?, voters: [sec, ops, person("ann"), person("bob"), person("cleo")], rounds: 1, timeout: 1s, on_fail: continue}
  - {id: abstain, type: consensus, proposal: Shall we?, voters: [sec, ops], rounds: 1}
  - {id: person, type: consensus, proposal: Shall we?, voters: [sec, ops], rounds: 1}
`;
const SILENCE_SCRIPT = `replies:
  decide_sec: [{json: {proposalId: decide-1, vote: APPROVE, rationale: known}}]
  decide_ops: [{json: {proposalId: decide-1, vote: APPROVE, rationale: known}}]
  abstain_sec: [{json: {proposalId: abstain-1, vote: ABSTAIN, rationale: unknown}}]
  abstain_ops: [{json: {proposalId: abstain-1, vote: ABSTAIN, rationale: unknown}}]
  abstain_default: [{json: {proposalId: abstain-1, vote: APPROVE, rationale: somebody has to}}]
  person_sec: [{json: {proposalId: person-1, vote: REJECT, blocking: true, rationale: never}}]
  person_ops: [{json: {proposalId: person-1, vote: REJECT, rationale: no}}]
`;

/** A command that is held back; an item that times out twice, and is then given up. */
const STREAM = `name: sieve
schemas: {Item.json: {type: object, required: [id]}}
steps:
  - {id: make, run: "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo '::item:: {\\"id\\": '$i'}'; done", emits: Item.json, max_waiting: 4}
  - id: each
    for_each: {stream: make, key: id}
    max_concurrent: 2
    timeout: 5m
    item_timeout: 2s
    fixes: 1
    on_item_failed: continue
    steps: [{id: use, run: "test \${item.id} != 5 || sleep 60"}]
`;
/** A specialist who is unsure, a second opinion, a follow-up; and a topic that only the fallback knows. */
const ADVICE = `name: advised
owner: lead
${AGENTS}steps:
  - {id: ask, type: consult, topic: style, question: Which tense?, options: [present, past], consultants: {style: sec}, second_opinion: ops}
  - {id: other, type: consult, topic: law, question: May we?, consultants: {style: sec}, fallback: ops}
  - {id: go, agent: ops, prompt: "\${ask.recommendation}"}
`;
const ADVICE_SCRIPT = `replies:
  ask_consultant: [{json: {recommendation: present, rationale: it is shorter, confidence: 0.6}}]
  ask_second_opinion: [{json: {recommendation: past, rationale: it is over, confidence: 0.9}}]
  other_fallback: [{json: {recommendation: yes, rationale: nothing forbids it, confidence: 0.9}}]
  go: [{text: done}]
`;
/** The coordinator's phases, with a message that no step handles. */
const COORDINATED = `name: guided
owner: lead
agents: {lead: {role: Leads.}, sec: {role: Plans., tools: [notify]}, ops: {role: Works.}}
channels: {"#desk": {}}
steps:
  - id: work
    type: coordinate
    task: Fix it.
    select: {task_type: fix, complexity: low, risk: low, team_size: 3, has_expert: false}
    roles: {coordinator: lead, planner: sec, executor: ops, tester: lead}
    test: "true"
`;
const COORDINATED_SCRIPT = `replies:
  work_plan: [{text: plan, calls: [{tool: notify, args: {channel: "#desk", message: The budget is small.}}]}]
  work_plan_ok: [{json: {date: "2026-01-01", reviewed_artifact: plan, verdict: pass, score: 0.9, issues: [], summary: good}}]
  work_impl: [{text: done}]
  work_review: [{json: {verdict: pass, issues: [], summary: good}}]
`;
/** An action calls an escalation, which a person ends; called again, it finds a root cause. */
const RESCUE = `name: mend
owner: lead
${AGENTS}steps:
  - {id: plan, run: 'true'}
  - {id: build, run: test -e made, on_error: [escalate(rescue), continue]}
  - {id: rescue, type: escalate, levels: [{agent: sec, attempts: 1}, ops, human], on_root_cause: "retry(plan, max=1)"}
`;
const RESCUE_SCRIPT = `replies:
  rescue_sec: [{json: {solved: false, diagnosis: a file is missing, tried: [looked for it]}}]
  rescue_ops:
    - {round: 1, json: {solved: false, diagnosis: the same, recommendation: make it}}
    - {json: {solved: false, diagnosis: the same, root_cause: nobody makes it}}
  rescue_apply: [{json: {solved: false, diagnosis: it is not allowed}}]
`;
/** No level answers in time, then one says that it is solved, which a command denies. */
const WORKAROUND = `name: around
owner: lead
${AGENTS}steps:
  - {id: rescue, type: escalate, issue: It is red., levels: [{agent: sec, attempts: 1}, {human: ann, timeout: 1s}]}
  - {id: checked, type: escalate, issue: It is red., levels: [sec, {human: ann, timeout: 1s, on_timeout: stop}], solved_when: {run: "false"}, on_error: continue}
  - {id: none, type: escalate, issue: "", levels: [sec]}
`;
const WORKAROUND_SCRIPT = `replies:
  rescue_sec: [{json: {solved: false, diagnosis: unknown}}]
  rescue_workaround: [{json: {solved: false, diagnosis: unknown, recommendation: left it out}}]
  checked_sec: [{json: {solved: true, diagnosis: done}}]
`;
/** A person's refusal in `finally` skips the rest of it, but not the post-mortem, one of whose agents fails. */
const LOOKING_BACK = `name: looking_back
${AGENTS}memory: team.md
steps:
  - {id: draft, agent: sec, on_error: continue}
  - {id: broken, run: exit 4, on_error: continue}
finally:
  - {id: sure, type: approval, prompt: Tidy up?}
  - {id: tidy, run: "true"}
post_mortem: {when: notable, by: [sec, ops], timeout: 2s, write: post-mortem.json, guidelines: guide.md}
`;
const LOOKING_BACK_SCRIPT = `replies:
  draft: [{text: done}]
  post_mortem_sec: [{json: {went_well: [Fast.], difficult: [], suggestions: [More time.], patterns: [Lint first.]}}]
`;

/** One track runs ahead and is cancelled, one adjusts, and in the end they cannot be aligned. */
const TRACKS = `name: tracks
owner: lead
agents: {lead: {role: Checks.}, a: {role: Designs.}, b: {role: Builds.}}
steps:
  - id: dual
    type: tracks
    a: {agent: a, phases: [{id: api, prompt: Design it.}, {id: detail, prompt: Describe it.}, {id: guide, prompt: Explain it.}]}
    b: {agent: b, phases: [{id: scaffold, prompt: Set it up.}, {id: core, prompt: Build it.}, {id: polish, prompt: Polish it.}]}
    sync:
      - {id: contract, after: [api, scaffold], wait: 1s}
      - {id: whole, after: [detail, core], rounds: 1}
    integration: printf tested
`;
const TRACKS_SCRIPT = `replies:
  dual_api: [{text: api}]
  dual_detail: [{iteration: 1, text: too early, after: 1m}, {text: detail}]
  dual_guide: [{text: guide}]
  dual_scaffold: [{iteration: 1, text: scaffold, after: 3s}, {text: scaffold}]
  dual_core: [{text: core}]
  dual_polish: [{text: polish}]
  dual_contract: [{iteration: 1, json: {status: MISALIGNED, adjust: b, conflicts: [names differ]}}, {iteration: 2, json: {status: ALIGNED}}]
  dual_whole: [{json: {status: MISALIGNED}}]
`;
const writes = (turn, path, content) =>
  `    - {iteration: ${turn}, calls: [{tool: write_file, args: {path: ${path}, content: "${content}"}}], json: {summary: done}}\n`;
/**
 * An increment regresses and begins again, the validation of the whole reverts the last; in another plan everything is blocked, and a
 * person accepts that.
 */
const DELIVERY = `name: shop
owner: lead
cwd: shop
agents: {lead: {role: Leads., tools: [write_file]}, judge: {role: Judges.}}
steps:
  - id: ship
    type: increments
    plan: [{id: tables}, {id: api, depends_on: [tables]}, {id: pages, depends_on: [api]}]
    executor: lead
    validator: judge
    gates: {syntax_clean: "! grep -q wrong *.txt", no_regression: grep -qx sound base.txt, increment_tests_pass: "test -n \${increment.id}"}
    final: test ! -e late.txt
  - id: stuck
    type: increments
    plan: [{id: more}]
    executor: lead
    gates: {increment_tests_pass: test -e never.txt}
    fixes: 0
    worktree: ship
`;
const DELIVERY_SCRIPT = `replies:
  ship_executor:
${writes(1, 'one.txt', 'wrong')}${writes(2, 'one.txt', 'one')}${writes(3, 'base.txt', 'broken')}${writes(4, 'two.txt', 'two')}${writes(5, 'late.txt', 'late')}  ship_validator:
    - {json: {verdict: pass}}
  stuck_executor:
${writes(1, 'more.txt', 'more')}`;

/** Swarms: one that an action calls and that has no result, and two at once, of which the second waits and is skipped. */
const MOB = `name: mob
${AGENTS}steps:
  - {id: deploy, run: "test -e .made || { touch .made; exit 1; }", on_error: [swarm(mob), continue]}
  - id: both
    branches:
      - {id: left, run: exit 1, on_error: [swarm(one), continue]}
      - {id: right, steps: [{id: look, agent: sec}, {id: bad, run: exit 1, on_error: [swarm(other), continue]}]}
  - {id: one, type: swarm, issue: It is red., agents: {sec: tests, ops: disks}, verify: "true", fixer: ops}
  - {id: other, type: swarm, issue: It is blue., agents: {ops: disks}, verify: "false", rounds: 1, pause: nothing, on_fail: continue}
  - {id: mob, type: swarm, agents: {sec: tests, ops: disks}, verify: "false"}
  - {id: none, type: swarm, issue: "", agents: {sec: tests}, verify: "true"}
`;
const MOB_SCRIPT = `replies:
  mob_sec: [{iteration: 1, json: {root_cause: made is missing, confidence: 0.4, fix_suggestion: look at src/made.ts}}, {json: {root_cause: unknown, confidence: 0.2, fix_suggestion: wait}}]
  mob_ops: [{iteration: 1, json: {root_cause: a full disk, confidence: 0.9, fix_suggestion: clean it}}, {fail: {code: agent.turns-used-up, message: no answer}}]
  mob_fix_ops: [{json: {applied: false, summary: nothing to clean}}]
  mob_fix_sec: [{json: {applied: true, summary: looked}}]
  one_sec: [{json: {root_cause: x, confidence: 0.4, fix_suggestion: y}}]
  one_ops: [{json: {root_cause: x, confidence: 0.3, fix_suggestion: z}, after: 1s}]
  one_fix_ops: [{json: {applied: true, summary: done}}]
  look: [{text: seen}]
  other_ops: [{json: {root_cause: x, confidence: 0.3, fix_suggestion: z}}]
  other_fix_ops: [{json: {applied: true, summary: done}}]
`;

const SPENT = `name: spent
budget: {tokens: 100}
${AGENTS}steps:
  - id: both
    branches:
      - {id: left, steps: [{id: deploy, run: "sleep 1; test -e .made || { touch .made; exit 1; }", on_error: swarm(mob)}]}
      - {id: right, steps: [{id: slow, agent: sec}, {id: next, run: echo next}]}
  - {id: mob, type: swarm, agents: {sec: tests, ops: disks}, verify: "test -e .made"}
`;
const SPENT_SCRIPT = `replies:
  slow: [{text: done, after: 1s, usage: {input_tokens: 90, output_tokens: 60}}]
  mob_sec: [{json: {root_cause: x, confidence: 0.4, fix_suggestion: y}}]
  mob_ops: [{json: {root_cause: a full disk, confidence: 0.9, fix_suggestion: clean it}, after: 2s, usage: {input_tokens: 80, output_tokens: 60}}]
  mob_fix_ops: [{json: {applied: true, summary: cleaned}}]
`;

export const PATTERN_CASES = [
  {
    name: 'a-vote-is-revised-and-passes',
    guards: 'a vote with people and agents that fails, is revised, and passes',
    pipeline: { name: 'pick', source: VOTE, others: { 'scripts/pick.yaml': VOTE_SCRIPT } },
    script: 'pick',
    async drive(run) {
      await run.gate('decide[1]/decide_ann');
      await run.update('respond', { step: 'decide[1]/decide_ann', by: 'ann', response: 'B', comment: 'cheaper' });
      await run.gate('decide[2]/decide_ann');
      await run.update('respond', { step: 'decide[2]/decide_ann', by: 'ann', response: 'B', comment: 'cheaper' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'votes-that-come-to-nothing',
    guards: 'silent voters, and a person who decides',
    pipeline: { name: 'quiet', source: SILENCE, others: { 'scripts/quiet.yaml': SILENCE_SCRIPT } },
    script: 'quiet',
    async drive(run) {
      await run.gate('person');
      await run.update('approve', { step: 'person', by: 'ann', comment: 'I carry it' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'an-escalation-is-called-twice',
    guards: 'an escalation that two steps call',
    pipeline: { name: 'mend', source: RESCUE, others: { 'scripts/mend.yaml': RESCUE_SCRIPT } },
    script: 'mend',
    async drive(run) {
      await run.gate('rescue[4]/rescue_person');
      await run.update('respond', { step: 'rescue[4]/rescue_person', by: 'ann', response: 'solved', comment: 'should be there' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'escalations-that-nobody-solves',
    guards: 'escalations up to their last level',
    pipeline: { name: 'around', source: WORKAROUND, others: { 'scripts/around.yaml': WORKAROUND_SCRIPT } },
    script: 'around',
    ends: 'COMPLETED',
  },
  {
    name: 'a-run-looks-back-on-itself',
    guards: 'a post-mortem',
    pipeline: { name: 'looking_back', source: LOOKING_BACK, others: { 'scripts/looking_back.yaml': LOOKING_BACK_SCRIPT } },
    script: 'looking_back',
    async drive(run) {
      await run.gate('sure');
      await run.update('reject', { step: 'sure', by: 'ann' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'tracks-adjust-and-one-follows',
    guards: 'tracks with sync points',
    pipeline: { name: 'tracks', source: TRACKS, others: { 'scripts/tracks.yaml': TRACKS_SCRIPT } },
    script: 'tracks',
    ends: 'COMPLETED',
  },
  {
    name: 'a-stream-is-held-back',
    guards: 'a stream whose producer is held back, and one timer for many waits',
    pipeline: { name: 'sieve', source: STREAM },
    ends: 'COMPLETED',
  },
  {
    name: 'swarms-one-at-a-time',
    guards: 'two swarms, one after the other',
    pipeline: { name: 'mob', source: MOB, others: { 'scripts/mob.yaml': MOB_SCRIPT } },
    script: 'mob',
    async drive(run) {
      await run.gate('mob');
      await run.update('respond', { step: 'mob', by: 'ann', response: 'approve' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'a-plan-in-increments',
    guards: 'increments that fail, are fixed and are blocked',
    repository: { name: 'shop', files: { 'base.txt': 'sound\n' } },
    pipeline: { name: 'shop', source: DELIVERY, others: { 'scripts/shop.yaml': DELIVERY_SCRIPT } },
    script: 'shop',
    async drive(run) {
      await run.gate('ship');
      await run.update('approve', { step: 'ship', by: 'ann', comment: 'without pages' });
      await run.gate('stuck');
      await run.update('approve', { step: 'stuck', by: 'ann', comment: 'later' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'specialists-are-consulted',
    guards: 'advice of specialists',
    pipeline: { name: 'advised', source: ADVICE, others: { 'scripts/advised.yaml': ADVICE_SCRIPT } },
    script: 'advised',
    ends: 'COMPLETED',
  },
  {
    name: 'a-coordinated-task',
    guards: 'a `coordinate` step',
    pipeline: { name: 'guided', source: COORDINATED, others: { 'scripts/guided.yaml': COORDINATED_SCRIPT } },
    script: 'guided',
    ends: 'COMPLETED',
  },
  {
    name: 'a-budget-is-reached-beside-a-swarm',
    guards: 'a ceiling that is reached while a swarm pauses the run',
    pipeline: { name: 'spent', source: SPENT, others: { 'scripts/spent.yaml': SPENT_SCRIPT } },
    script: 'spent',
    async drive(run) {
      await run.gate('both[1]/right/slow');
      await run.step('mob', 'running');
      await run.update('extend_budget', { tokens: 160, by: 'ann' });
      await run.step('mob', 'done');
      await run.gate('both[1]/right/slow');
      await run.update('extend_budget', { tokens: 400, by: 'ann' });
    },
    ends: 'COMPLETED',
  },
];
