import { briefNode } from '../../compiler/brief/brief-file';
import { readBrief } from '../../compiler/brief/read-brief';
import { resolveBrief } from '../../compiler/brief/resolve-brief';
import { type Diagnostic, diagnosticAt, type Report, sourceText } from '../../compiler/diagnostics/diagnostic';
import type { TemplateSyntax } from '../../compiler/expression/syntax';
import { type Installation, NO_INSTALLATION } from '../../compiler/installation';
import { BUILT_IN_ROLES } from '../../plan/brief/role';

const INSTALLATION: Installation = {
  ...NO_INSTALLATION,
  adapters: ['anthropic', 'openai', 'claude', 'codex', 'gemini', 'openclaw', 'house'],
  roles: ['auditor'],
  today: '2031-05-17',
  hasFolder: (path) => ['./here', './site'].includes(path),
};

interface Given {
  files?: Readonly<Record<string, string>>;
  installation?: Partial<Installation>;
}

function compile(text: string, { files = {}, installation = {} }: Given = {}) {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (...mistake) => diagnostics.push(diagnosticAt(...mistake));
  const sources = {
    read: (path: string) => files[path],
    list: (folder: string) => Object.keys(files).map((path) => path.slice(folder.length + 1)),
  };
  const node = briefNode(sourceText('BRIEF.md', text), report);
  // Texts of a file have no names to look up.
  const template = (syntax: TemplateSyntax) => syntax.filter((piece) => typeof piece === 'string');
  const around = { file: 'BRIEF.md', sources, installation: { ...INSTALLATION, ...installation }, report, template };
  const brief = node && resolveBrief(readBrief(node, 'literal', report), around);
  return { brief, diagnostics };
}

/** `code@line:column`, in the order of the file. */
function mistakes(text: string, given?: Given): string[] {
  const { diagnostics } = compile(text, given);
  const sorted = diagnostics.toSorted((a, b) => a.startOffset - b.startOffset);
  return sorted.map(({ code, line, column, file }) => `${file === 'BRIEF.md' ? '' : `${file} `}${code}@${line}:${column}`);
}

const BODY = '# Objective\nA site.\n\n# Deliverables\n- index.html\n\n# Constraints\n- none\n';
const withHead = (head: string): string => `---\nproject: site\n${head}\n---\n${BODY}`;

describe('a brief', () => {
  it('has the defaults of what is left out', () => {
    expect(compile(`---\nproject: site\n---\n${BODY}`)).toEqual({
      diagnostics: [],
      brief: {
        project: 'site',
        scopeLocked: false,
        mode: 'gated',
        authorized: [],
        roles: [],
        budgets: { tokens: 50_000, wallClockMs: 1_200_000, toolCallsPerSubtask: 15, retriesPerSubtask: 3 },
        sections: { objective: ['A site.'], deliverables: ['- index.html'], constraints: ['- none'], others: [] },
      },
    });
  });

  it('has all of its keys, and its sections by headings of any level', () => {
    const text = `\uFEFF---\r
project: site\r
brief_id: 2031-05-17-A1\r
deadline: 2031-06-01\r
scope_locked: true\r
mode: auto\r
authorized_costs: [filesystem_write, shell_exec, "mcp_tool:files:*"]\r
workdir: ./site\r
roles:\r
  planner: {adapter: anthropic, model: small, tier: paid}\r
  executor: {adapter: cli-bridge, binary: claude, tier: free, timeout_ms: 1000}\r
  reviewer:\r
  auditor: {adapter: openai-compat}\r
budgets: {max_tokens: 1, max_wall_clock_minutes: 2, max_tool_calls_per_subtask: 3, max_retries_per_subtask: 4}\r
mcp_servers: [files=npx -y server-files  ./]\r
---\r
Begin here.\r
\r
# My site\r
## Goals:\r
A site.\r
### Why\r
Because.\r
#### **Deliverables** ##\r
\`\`\`\r
# Constraints\r
\`\`\`\r
\r
Acceptance criteria\r
-------------------\r
It is valid.\r
## 1. Tools required\r
Files.\r
## Notes\r
One.\r
## Unknowns\r
Two.\r
## Context\r
Old.\r
## Background\r
More.\r
## Constraints\r
None.\r
`;
    expect(compile(text)).toEqual({
      diagnostics: [],
      brief: {
        ...{ project: 'site', briefId: '2031-05-17-A1', deadline: '2031-06-01', scopeLocked: true, mode: 'auto', workdir: './site' },
        authorized: ['filesystem_write', 'shell_exec', 'mcp_tool:files:*'],
        roles: [
          { id: 'planner', definition: BUILT_IN_ROLES.planner, adapter: 'anthropic', model: 'small', tier: 'paid' },
          { id: 'executor', definition: BUILT_IN_ROLES.executor, adapter: 'claude', tier: 'free', timeoutMs: 1000 },
          { id: 'reviewer', definition: BUILT_IN_ROLES.reviewer },
          { id: 'auditor', adapter: 'openai' },
        ],
        budgets: { tokens: 1, wallClockMs: 120_000, toolCallsPerSubtask: 3, retriesPerSubtask: 4 },
        toolServers: { files: ['npx', '-y', 'server-files', './'] },
        sections: {
          objective: ['A site.\n\n### Why\n\nBecause.'],
          deliverables: ['```\n# Constraints\n```'],
          acceptance: ['It is valid.'],
          toolsRequired: ['Files.'],
          notes: ['One.\n\nTwo.'],
          context: ['Old.'],
          constraints: ['None.'],
          others: [
            ['', ['Begin here.']],
            ['Background', ['More.']],
          ],
        },
      },
    });
  });

  test.each(['planner, executor', '[planner, executor]', '{planner: , executor: {}}', '\n  - planner\n  - executor'])(
    'lists its roles as %j',
    (roles) => {
      expect(compile(withHead(`roles: ${roles}`))).toMatchObject({
        diagnostics: [],
        brief: { roles: [{ id: 'planner' }, { id: 'executor' }] },
      });
    },
  );

  test.each(['roles: []', 'roles:', 'authorized_costs:\n  # - shell_exec\ndeadline:', ''])('without roles is for one agent: %j', (head) => {
    expect(compile(withHead(head))).toMatchObject({ diagnostics: [], brief: { roles: [], authorized: [] } });
  });

  it('lets `role_adapters` and `cli` say what runs a role', () => {
    const head =
      'authorized_costs: ["*"]\nroles: {planner: {adapter: anthropic}, executor: }\nrole_adapters: {planner: {adapter: house}, executor: {adapter: cli}}\ncli: {binary: codex, timeout_ms: 5, tier: free}';
    const { brief } = compile(withHead(head));
    expect(brief?.roles).toMatchObject([
      { id: 'planner', adapter: 'house' },
      { id: 'executor', adapter: 'codex', timeoutMs: 5, tier: 'free' },
    ]);
    expect(brief?.program).toEqual({ adapter: 'codex', timeoutMs: 5, tier: 'free' });
  });

  it('has the roles of files next to it, and those that an application has registered', () => {
    const files = {
      'roles/tester.yaml': 'description: Tests.\nprompt_overlay: |\n  You test.\ntool_categories: [shell_exec]\nallow_read_file: true\n',
    };
    const auditor = { ...BUILT_IN_ROLES.critic, id: 'auditor' };
    const { brief, diagnostics } = compile(withHead('roles: [planner, executor, tester, auditor]'), {
      files,
      installation: { registeredRoles: [auditor] },
    });
    expect(diagnostics).toEqual([]);
    expect(brief?.roles.slice(2)).toEqual([
      {
        id: 'tester',
        definition: {
          id: 'tester',
          description: 'Tests.',
          promptOverlay: 'You test.',
          source: expect.stringMatching(/^[0-9a-f]{64}$/),
          toolCategories: ['shell_exec'],
          allowReadFile: true,
        },
      },
      { id: 'auditor', definition: auditor },
    ]);
  });
});

describe('mistakes of a brief are found at their place', () => {
  type Case = [what: string, written: string, found: string[]];
  const noService = (adapter: string): Case => [
    `the adapter ${adapter}, which no service has`,
    `roles: {planner: {adapter: ${adapter}}, executor: }`,
    ['brief.no-service@3:28'],
  ];
  const heads: Case[] = [
    ...['gemini', 'grok', 'mock'].map(noService),
    ['an unknown key', 'authorised_costs: []', ['shape.unknown-key@3:1']],
    ['a section among the keys', 'objective: A site.', ['shape.key-not-here@3:1']],
    ['an id without a date', 'brief_id: A1', ['brief.bad-id@3:11']],
    ['an id with a path', 'brief_id: 2031-05-17-../x', ['brief.bad-id@3:11']],
    ['a deadline that is no day', 'deadline: 2031-02-30', ['brief.bad-id@3:11']],
    ['a deadline that has passed', 'deadline: 2031-05-16', ['brief.deadline-passed@3:11']],
    ['a folder that is not there', 'workdir: ./nowhere', ['brief.no-workdir@3:10']],
    ['a folder that is there', 'workdir: ./here', []],
    ['a deadline today', 'deadline: 2031-05-17', []],
    ['a mode that there is not', 'mode: automatic', ['shape.unknown-value@3:7']],
    ['scope_locked as text', 'scope_locked: yes', ['shape.wrong-type@3:15']],
    [
      'unknown categories',
      'authorized_costs: [shell_exek, git_*, "mcp_tool:"]',
      ['brief.unknown-category@3:20', 'brief.unknown-category@3:32', 'brief.unknown-category@3:40'],
    ],
    ['everything', 'authorized_costs: ["*"]', ['brief.authorises-all@3:21']],
    ['a word of openwar', 'authorized_costs: [generation_credits]', ['brief.passed-over@3:20']],
    ['a server that there is not', 'authorized_costs: [mcp_tool:fils]\nmcp_servers: [files=x]', ['brief.unknown-server@3:20']],
    [
      'a key in the command of a server',
      'mcp_servers: ["a=x --api-key abc", "b=env API_TOKEN=abc x", "c=x https://me:abc@example.org", "d=x sk-0123456789", "e=x secret://env/KEY", "f=x --key-file k --token --out ./tokens", "g=x -H Authorization: abc"]',
      [
        ...['brief.written-key@3:16', 'brief.written-key@3:37', 'brief.written-key@3:62', 'brief.written-key@3:96'],
        'secret.not-resolved@3:117',
        'brief.written-key@3:184',
      ],
    ],
    ['too many servers', `mcp_servers: [${[...'abcdefghijklmnopq'].map((one) => `${one}=x`).join(', ')}]`, ['brief.too-many@3:95']],
    ['too many categories', `authorized_costs: [${'deploy, '.repeat(257)}]`, ['brief.too-many@3:2068']],
    ['no planner', 'roles: [executor]', ['brief.missing-role@3:1']],
    ['no executor', 'roles: {planner: }', ['brief.missing-role@3:1']],
    ['a role twice', 'roles: [planner, executor, executor]', ['brief.same-role@3:28']],
    ['an unknown role', 'roles: [planner, executor, reviwer]', ['brief.unknown-role@3:28']],
    ['a role with the name of a part', 'roles: [planner, executor, operator]', ['brief.unknown-role@3:28']],
    ['a role with the name of a property', 'roles: [planner, executor, constructor]', ['brief.unknown-role@3:28']],
    ['roles as a number', 'roles: 3', ['shape.wrong-type@3:8']],
    [
      'an override for a role that is not listed',
      'roles: [planner, executor]\nrole_adapters: {reviewer: {adapter: house}}',
      ['brief.role-not-listed@4:17'],
    ],
    [
      'an override for a role that is not listed, of an adapter that is not there',
      'roles: [planner, executor]\nrole_adapters: {reviewer: {adapter: hause}}',
      ['brief.role-not-listed@4:17', 'adapter.unknown@4:37'],
    ],
    ['an override that is no mapping', 'roles: {planner: house, executor: }', ['shape.wrong-type@3:18']],
    ['an unknown key of a role', 'roles: {planner: {modle: x}, executor: }', ['shape.unknown-key@3:19']],
    ['an adapter that is not there', 'roles: {planner: {adapter: antropic}, executor: }', ['adapter.unknown@3:28']],
    ['a program that is not authorised', 'roles: {planner: , executor: {adapter: cli-bridge, binary: claude}}', ['brief.needs-shell@3:40']],
    ['a program by its name that is not authorised', 'roles: {planner: , executor: {adapter: claude}}', ['brief.needs-shell@3:40']],
    ['a program for one agent alone that is not authorised', 'roles: []\ncli: {binary: claude}', ['brief.needs-shell@4:15']],
    [
      'a program for one agent alone that is not set up',
      'authorized_costs: [shell_exec]\nroles: []\ncli: {binary: aider}',
      ['adapter.unknown@5:15'],
    ],
    [
      'a program without its name',
      'authorized_costs: [shell_exec]\nroles: {planner: , executor: {adapter: cli-bridge}}',
      ['shape.missing-key@4:40'],
    ],
    [
      'a program that is not set up',
      'authorized_costs: [shell_exec]\nroles: {planner: , executor: {adapter: cli-bridge, binary: aider}}',
      ['adapter.unknown@4:60'],
    ],
    ['a binary without its adapter', 'roles: {planner: , executor: {binary: claude}}', ['shape.missing-key@3:39']],
    [
      'flags of programs',
      'authorized_costs: [shell_exec]\ncli: {binary: claude, args: [--print], framework_prefix: true}',
      ['brief.passed-over@4:23', 'brief.passed-over@4:40'],
    ],
    ['what has no meaning here', 'inherit_memory: true\nlearned_profile: x', ['brief.passed-over@3:1', 'brief.passed-over@4:1']],
    ['what has no meaning here and is off', 'inherit_memory: false', []],
    ['a negative budget', 'budgets: {max_tokens: -1}', ['shape.out-of-range@3:23']],
    [
      'a budget of zero',
      'budgets: {max_wall_clock_minutes: 0, max_retries_per_subtask: 0}',
      ['shape.out-of-range@3:35', 'shape.out-of-range@3:63'],
    ],
    [
      'an absurd budget',
      'budgets: {max_tokens: 1e30, max_tool_calls_per_subtask: 1000000000}',
      ['shape.out-of-range@3:23', 'shape.out-of-range@3:57'],
    ],
    [
      'a budget that is no whole number',
      'budgets: {max_tokens: 1.5, max_wall_clock_minutes: many}',
      ['shape.wrong-type@3:23', 'shape.wrong-type@3:52'],
    ],
    ['an unknown budget', 'budgets: {max_token: 5}', ['shape.unknown-key@3:11']],
    [
      'servers that are none',
      'mcp_servers: [files, "=x", "a=", a=b, a=c, a__b=c]',
      ['brief.bad-server@3:15', 'brief.bad-server@3:23', 'brief.bad-server@3:29', 'brief.bad-server@3:39', 'brief.bad-server@3:44'],
    ],
  ];
  const cases: Case[] = [
    ...heads.map(([what, head, found]): Case => [what, withHead(head), found]),
    ['no front matter', BODY, ['shape.missing-key@1:1']],
    ['an empty file', '', ['shape.missing-key@1:1', 'brief.no-section@1:1', 'brief.no-section@1:1', 'brief.no-constraints@1:1']],
    ['front matter without an end', `---\nproject: site\n\n${BODY}`, ['markdown.open-head@1:1']],
    [
      'front matter that is a list',
      `---\n- project\n---\n# Objective\n`,
      ['yaml.not-a-mapping@2:1', 'brief.no-section@4:1', 'brief.no-section@4:1'],
    ],
    ['front matter that is no YAML', `---\nproject: [\n---\n${BODY}`, ['yaml.syntax@3:1']],
    ['a key twice', `---\nproject: a\nproject: b\n---\n${BODY}`, ['yaml.duplicate-key@3:1']],
    ['a project in capitals', `---\nproject: My Site\n---\n${BODY}`, ['brief.bad-id@2:10']],
    ['a placeholder', `---\nproject: <slug>\n---\n${BODY}`, ['brief.bad-id@2:10']],
    ['a project that is a list', `---\nproject: [a]\n---\n${BODY}`, ['shape.wrong-type@2:10']],
    ['no objective', '---\nproject: site\n---\n# Deliverables\nx\n# Constraints\nx\n', ['brief.no-section@4:1']],
    [
      'an objective with a mistake in its heading',
      '---\nproject: site\n---\n# Objetive\nx\n# Deliverables\nx\n# Constraints\nx\n',
      ['brief.no-section@4:1'],
    ],
    ['an empty objective', '---\nproject: site\n---\n# Objective\n\n# Deliverables\nx\n# Constraints\nx\n', ['brief.no-section@4:1']],
    [
      'an objective in fenced code',
      '---\nproject: site\n---\n```\n# Objective\nx\n```\n# Deliverables\nx\n# Constraints\nx\n',
      ['brief.no-section@4:1'],
    ],
    ['no constraints', '---\nproject: site\n---\n# Objective\nx\n# Deliverables\nx\n', ['brief.no-constraints@2:1']],
    ['a control character in the text', withHead('').replace('A site', 'A \u001b[31m'), ['yaml.control-character@6:3']],
    ['empty constraints', '---\nproject: site\n---\n# Objective\nx\n# Deliverables\nx\n## Constraints\n\n', ['brief.no-constraints@8:1']],
    ['an objective twice', `${withHead('')}\n## Goals\nx\n`, ['brief.same-section@14:1']],
    ['too many sections', `${withHead('')}${'# Own\nx\n'.repeat(65)}`, ['brief.too-many@141:1']],
    [
      'everything at once',
      '---\nproject: A\nmode: x\nbudget: {}\n---\n# Notes\n',
      [
        'brief.bad-id@2:10',
        'brief.no-constraints@2:1',
        'shape.unknown-value@3:7',
        'shape.unknown-key@4:1',
        'brief.no-section@6:1',
        'brief.no-section@6:1',
      ],
    ],
  ];
  test.each(cases)('%s', (_, text, found) => {
    expect(mistakes(text).sort()).toEqual([...found].sort());
  });

  test.each(cases.filter(([, , found]) => found.length > 0))('%s: with CRLF the places are the same', (_, text, found) => {
    expect(mistakes(text.replaceAll('\n', '\r\n')).sort()).toEqual([...found].sort());
  });

  const roleFiles: [what: string, text: string, found: string[]][] = [
    ['another id', 'id: other\ndescription: x\nprompt_overlay: y', ['brief.bad-role@1:5']],
    ['no instructions', 'description: x', ['shape.missing-key@1:1']],
    ['an unknown key', 'description: x\nprompt_overlay: y\ntools: [run]', ['shape.unknown-key@3:1']],
    ['an unknown category', 'description: x\nprompt_overlay: y\ntool_categories: [shell]', ['brief.unknown-category@3:19']],
    ['a list', '- x', ['yaml.not-a-mapping@1:1']],
  ];
  test.each(roleFiles)('a file of a role with %s', (_, text, found) => {
    const files = { 'roles/tester.yaml': text };
    expect(mistakes(withHead('roles: [planner, executor, tester]'), { files })).toEqual(found.map((one) => `roles/tester.yaml ${one}`));
  });

  it('a bare `*`, which openwar takes: the hint says how to write it', () => {
    expect(compile(withHead('authorized_costs:\n  - *')).diagnostics).toMatchObject([
      { code: 'yaml.syntax', line: 4, hint: 'a text that begins with `*` needs quotes around it' },
    ]);
  });

  it('too many roles', () => {
    const others = [...'abcdefghijklmno'];
    const found = mistakes(withHead(`roles: [planner, executor, ${others.join(', ')}]`), { installation: { roles: others } });
    expect(found).toEqual(['brief.too-many@3:70']);
  });

  it('a file does not replace a built-in role', () => {
    const files = { 'roles/planner.yaml': 'description: x\nprompt_overlay: y\ntool_categories: ["*"]' };
    expect(mistakes(withHead('roles: [planner, executor]'), { files })).toEqual(['roles/planner.yaml brief.bad-role@1:1']);
  });

  it('each one has a hint', () => {
    const all = cases.flatMap(([, text]) => compile(text).diagnostics);
    expect(all.filter(({ code, hint }) => code.startsWith('brief.') && hint === undefined)).toEqual([]);
  });

  it.each([
    ['authorized_costs: [shell_exek]', 'shell_exec'],
    ['roles: [planner, executor, reviwer]', 'reviewer'],
    ['authorised_costs: []', 'authorized_costs'],
    ['budgets: {max_token: 5}', 'max_tokens'],
    ['roles: {planner: {adapter: antropic}, executor: }', 'anthropic'],
    ['roles: {planner: {adapter: gemini}, executor: }', 'binary: gemini'],
  ])('%s: the hint names %s', (head, word) => {
    expect(compile(withHead(head)).diagnostics[0]?.hint).toContain(word);
  });

  it('a service that is set up under its name may run a role', () => {
    const installation = { adapters: ['grok'] };
    expect(mistakes(withHead('roles: {planner: {adapter: grok}, executor: }'), { installation })).toEqual([]);
  });
});
