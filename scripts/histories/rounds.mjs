// Cases of blocks that are chosen, and of blocks that run again.
const CHOICE = `name: choice
steps:
  - id: look
    run: echo '{"risk":"low"}'
  - id: route
    switch:
      - id: urgent
        when: look.risk == "high"
        run: echo urgent
      - id: usual
        when: look.risk == "low"
        steps:
          - id: sign
            type: approval
          - id: act
            run: echo act
      - id: other
        run: echo other
  - id: none
    switch:
      - id: never
        when: look.risk == "high"
        run: echo never
  - id: last
    run: echo \${route}
`;

const ROUNDS = `name: rounds
steps:
  - id: polish
    timeout: 1h
    repeat:
      until: check.score >= 3 && round > last.check.score
      max: 9
      steps:
        - id: write
          run: echo "draft \${round} \${last.check.said}"
        - id: sign
          type: approval
          when: round == 2
        - id: check
          run: echo '{"score":\${round},"said":"more"}'
  - id: tries
    repeat:
      until: round == 3
      max: 2
      on_exhausted: hold
      steps:
        - id: work
          run: echo work
  - id: end
    run: echo \${polish.round}
`;

export const ROUND_CASES = [
  {
    name: 'a-case-is-chosen',
    guards: '`switch`',
    pipeline: { name: 'choice', source: CHOICE },
    async drive(run) {
      await run.gate('route[1]/usual/sign');
      await run.update('approve', { by: 'chairman' });
    },
    ends: 'COMPLETED',
  },
  {
    name: 'rounds-across-executions',
    guards: '`repeat` over several executions',
    eventsLimit: 40,
    pipeline: { name: 'rounds', source: ROUNDS },
    async drive(run) {
      await run.gate('polish[2]/sign');
      await run.update('approve', { by: 'chairman' });
      await run.step('tries', 'held');
      await run.update('retry', { step: 'tries' });
    },
    ends: 'COMPLETED',
  },
];
