// Runs with worktrees, whose work lands by merge queues.
import { script } from './agents.mjs';

/** Green unless somebody has written something wrong, or left a conflict. */
const TEST = "! grep -rqE --include='*.txt' 'wrong|<<<<<<<' .\n";

const TEAM = `name: team
agents:
  lead: {role: Leads., tools: [write_file]}
  dev: {role: Writes code., tools: [write_file]}
steps:
  - id: build
    type: caid
    prompt: Write both.
    repo: team
    into: main
    manager: lead
    engineers: {agent: dev, max: 2}
    test: sh test.sh
`;
const writes = (path, content) => `- {tool: write_file, args: {path: ${path}, content: "${content}\\n"}}`;
const engineer = (task, prompt, text) => `    - prompt: ${prompt}
      calls:
        ${writes(`${task}.txt`, text)}
      json: {task_id: ${task}, status: done, summary: It is there., tests: {command: sh test.sh, passed: 1, failed: 0}}
`;
const unit = (id) => `{id: ${id}, title: Write ${id}, description: A file., files: [${id}.txt], depends_on: []}`;
const TEAM_SCRIPT = script(`  build_manager:
    - calls:
        ${writes('README.md', '# Two files')}
      json: {units: [${unit('one')}, ${unit('two')}]}
  build_engineer:
${engineer('one', `'"title": "Write one"'`, 'one')}${engineer('two', `['"title": "Write two"', '"attempt": 1']`, 'wrong')}${engineer('two', `'"title": "Write two"'`, 'two')}  build_review:
    - json: {accepted: true, summary: Both are there., warnings: []}
`);

const author = (id) => `      - id: ${id}
        run: if grep -q '<<<<' a.txt; then echo both > a.txt; else echo ${id} > a.txt; fi; echo t > ${id}.txt
        worktree: {repo: library}
        retry: {max: 2}
`;
const LANDS = `name: lands
steps:
  - id: work
    type: parallel
    branches:
${author('one')}${author('two')}  - {id: land, type: merge, from: [one, two], into: main, test: sh test.sh}
`;

export const TEAM_CASES = [
  {
    name: 'team-whose-task-comes-back',
    guards: 'a team of engineers, one of whose tasks comes back, and its merge queue',
    repository: { name: 'team', files: { 'test.sh': TEST } },
    pipeline: { name: 'team', source: TEAM, others: { 'scripts/team.yaml': TEAM_SCRIPT } },
    script: 'team',
    ends: 'COMPLETED',
    withQueue: true,
  },
  {
    name: 'branches-land-and-one-comes-back',
    guards: 'a merge step with a candidate that comes back to its author',
    repository: { name: 'library', files: { 'a.txt': 'a\n', 'test.sh': TEST } },
    pipeline: { name: 'lands', source: LANDS },
    ends: 'COMPLETED',
  },
];
