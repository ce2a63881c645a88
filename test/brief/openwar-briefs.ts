/** Front matter as openwar's examples write it, of our own writing: it starts as it is, and warnings say what has no meaning here. */
export const SHAPES: [what: string, head: string, roles: string[], found: string[]][] = [
  [
    'one agent, a word of its own for costs',
    'project: jingle-drafts\nbrief_id: 2031-02-03-B7\nscope_locked: false\nmode: gated\nauthorized_costs:\n  - generation_credits',
    ['agent'],
    ['brief.passed-over@7:5'],
  ],
  [
    'a number with zeros as the end of its id',
    'project: tidy-imports\nbrief_id: 2031-02-03-004\nscope_locked: true\nmode: auto\nauthorized_costs:\n  - filesystem_write\n  - http_fetch',
    ['agent'],
    [],
  ],
  [
    'a server of tools with a wildcard, without quotes',
    'project: count-lines\nauthorized_costs:\n  - filesystem_read\n  - mcp_tool:notes:*\nmcp_servers:\n  - notes=npx -y @example/server-notes ./',
    ['agent'],
    [],
  ],
  [
    'four roles, one of them switched off, and every budget',
    `project: leap-days
brief_id: 2031-02-03-L1
authorized_costs:
  - filesystem_read
  - filesystem_write
roles:
  - planner
  - executor
  - reviewer
  # - critic
budgets:
  max_tokens: 60000
  max_wall_clock_minutes: 20
  max_tool_calls_per_subtask: 10
  max_retries_per_subtask: 2`,
    ['planner', 'executor', 'reviewer'],
    [],
  ],
  ['roles with commas', 'project: leap-days\nroles: planner,executor,reviewer,critic', ['planner', 'executor', 'reviewer', 'critic'], []],
  ['roles switched off', 'project: leap-days\nroles: []      # alone', ['agent'], []],
  [
    'an adapter for each role',
    `project: mixed-team
authorized_costs:
  - shell_exec
roles:
  planner:
    adapter: anthropic
    model: a-small-model
  executor:
    adapter: cli-bridge
    binary: claude
    tier: free
  reviewer:
    adapter: openai-compat`,
    ['planner', 'executor', 'reviewer'],
    [],
  ],
  [
    'adapters in a mapping of their own',
    'project: mixed-team\ntier: paid\nauthorized_costs:\n  - "*"\nroles:\n  - planner\n  - executor\nrole_adapters:\n  executor:\n    adapter: cli-bridge\ncli:\n  binary: codex\n  timeout_ms: 600000',
    ['planner', 'executor'],
    ['brief.authorises-all@5:6'],
  ],
  [
    'memory, and flags of a program',
    `project: note-keeper
authorized_costs:
  - shell_exec
inherit_memory: true
learned_profile: careful
cli:
  binary: claude
  args: ["--print", "--output-format", "stream-json"]
  framework_prefix: true
  mcp_forward: true`,
    ['agent'],
    ['brief.passed-over@5:1', 'brief.passed-over@6:1', 'brief.passed-over@9:3', 'brief.passed-over@10:3', 'brief.passed-over@11:3'],
  ],
  ['keys that are not filled in', 'project: a1\ndeadline:   # none\nworkdir:\nauthorized_costs:\nbudgets:\nroles:', ['agent'], []],
];

const BODY = `# A title of the whole

Some words about it.

## Objective

Make one.

### Why

- To have it.

## Deliverables

1. One thing.

## Constraints

- Use \`this\`; it's "quoted", and has \${braces}, {{more}} and $dollars.

## Tools required

- None.

## Notes / unknowns

\`\`\`yaml
roles:
  # comment
  planner:
\`\`\`
`;

export const briefWith = (head: string): string => `---\n${head}\n---\n\n${BODY}`;
