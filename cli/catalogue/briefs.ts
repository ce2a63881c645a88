import type { CommandSpec, OptionSpec } from '../command';
import * as lintCommand from '../commands/brief-lint';
import * as listCommand from '../commands/brief-list';
import * as planCommand from '../commands/brief-plan';
import * as resumeCommand from '../commands/brief-resume';
import * as runCommand from '../commands/brief-run';
import { BY_OPTION, DETACH_OPTION, JSON_OPTION, SERVER_OPTIONS, TOKEN_OPTION, WORKER_OPTION } from './options';

const BRIEF = { form: '<brief>', doc: 'a brief’s file, or its name: Markdown with front matter', completes: 'file' } as const;
const MAX_TOKENS = { flags: '--max-tokens <number>', doc: 'tokens of the whole run' };
const MAX_MINUTES = { flags: '--max-minutes <number>', doc: 'minutes of the whole run' };
const SCRIPT = { flags: '--script <name>', doc: 'a script next to the brief that plays the agents', completes: 'script' } as const;
const LIVE = { flags: '--live', doc: 'real models, no script' };

/** What wins over the brief’s own front matter. */
const ROLE_OPTIONS: readonly OptionSpec[] = [
  { flags: '--adapter <name>', doc: 'what runs the roles that name no adapter' },
  { flags: '--model <model>', doc: 'the model of these roles' },
  { flags: '--roles <names>', doc: 'the roles of the team, separated by commas' },
];
const MAXIMA: readonly OptionSpec[] = [MAX_TOKENS, MAX_MINUTES];

export const BRIEF_COMMANDS: readonly CommandSpec[] = [
  {
    name: 'brief plan',
    summary: 'ask only the planner, and print its sub-tasks; nothing of the work begins',
    arguments: [BRIEF],
    options: [
      ...ROLE_OPTIONS,
      ...MAXIMA,
      SCRIPT,
      LIVE,
      { flags: '--graph', doc: 'print the sub-tasks as a Mermaid graph instead' },
      TOKEN_OPTION,
      WORKER_OPTION,
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['brief plan site.md', 'brief plan site.md --graph'],
    load: () => planCommand,
  },
  {
    name: 'brief run',
    summary: 'start a brief and follow it; its run has the id PROJECT-BRIEF_ID',
    arguments: [BRIEF],
    options: [
      ...ROLE_OPTIONS,
      { flags: '--mode <mode>', doc: 'gated: a person confirms the plan and each sub-task; auto: the run does' },
      { flags: '--single', doc: 'one agent, without a coordinator' },
      { flags: '--workdir <folder>', doc: 'the folder in which the agents work, relative to the current one', completes: 'file' },
      { flags: '--no-shell', doc: 'refuse what needs shell_exec, whatever anybody has granted' },
      { flags: '--no-operator', doc: 'ask nobody about a call that nothing authorises: it is denied' },
      ...MAXIMA,
      SCRIPT,
      LIVE,
      { flags: '--record <file>', doc: 'when the run ends or waits, write its replies and decisions to a script', completes: 'file' },
      { flags: '--dry-run', doc: 'show what would run; starts nothing' },
      TOKEN_OPTION,
      WORKER_OPTION,
      { ...DETACH_OPTION, doc: 'start the run and return at once' },
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['brief run site.md', 'brief run site.md --mode auto --no-shell --max-tokens 80000', 'brief run site.md --single --detach'],
    load: () => runCommand,
  },
  {
    name: 'brief resume',
    summary: 'go on with a brief, with higher ceilings if they are given; nothing that is done is repeated',
    arguments: [{ form: '<run>', doc: 'the run’s id, or the id of its brief', completes: 'open-run' }],
    options: [
      { ...MAX_TOKENS, doc: 'the new ceiling for tokens of the whole run' },
      { ...MAX_MINUTES, doc: 'the new ceiling for minutes of the whole run' },
      BY_OPTION,
      WORKER_OPTION,
      DETACH_OPTION,
      JSON_OPTION,
      ...SERVER_OPTIONS,
    ],
    examples: ['brief resume 2031-05-17-A1', 'brief resume my-site-2031-05-17-A1 --max-tokens 120000 --max-minutes 40'],
    load: () => resumeCommand,
  },
  {
    name: 'brief lint',
    summary: 'check briefs: exit 0, or 1 if one has mistakes',
    arguments: [{ form: '<briefs...>', doc: 'files', completes: 'file' }],
    options: [JSON_OPTION],
    examples: ['brief lint site.md', 'brief lint briefs/*.md --json'],
    load: () => lintCommand,
  },
  {
    name: 'brief list',
    summary: 'list briefs: files in `briefs` and in the pipelines’ folders, and runs with their state and phase',
    options: [JSON_OPTION, ...SERVER_OPTIONS],
    examples: ['brief list', 'brief list --json'],
    load: () => listCommand,
  },
];
