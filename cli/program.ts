import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { didYouMean } from '../compiler/diagnostics/suggest';
import { CATALOGUE, GROUPS, NOUNS } from './catalogue/index';
import { type CommandSpec, Options } from './command';
import { EXIT } from './exit';
import type { Terminal } from './terminal';

/**
 * Parses a command line and runs the command it names. Returns the exit code; a mistake in the command line is exit 2, with a suggestion if
 * one is near.
 */
export async function runCommandLine(words: readonly string[], terminal: Terminal, version: string): Promise<number> {
  // The parser's own `help` knows only commands of one word.
  const argv = words[0] === 'help' && words.length > 2 ? [...words.slice(1), '--help'] : words;
  let exit: number = EXIT.done;
  const run: Action = async (spec, args, options) => {
    exit = await spec.load().execute({ args, options: new Options(options), terminal, catalogue: { commands: CATALOGUE, nouns: NOUNS } });
  };
  const program = buildProgram(terminal, version, run, commandsFor(argv));
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return SHOWN_HELP.has(error.code) ? EXIT.done : EXIT.usage;
  }
  return exit;
}

const SHOWN_HELP: ReadonlySet<string> = new Set(['commander.help', 'commander.helpDisplayed', 'commander.version']);

/**
 * The command that `argv` begins with is all that its parser needs to know: to declare them all takes a tenth of a short command's time.
 */
function commandsFor(argv: readonly string[]): readonly CommandSpec[] {
  const [first, second] = argv;
  const of = (name: string) => CATALOGUE.find((spec) => spec.name === name);
  const named = of(`${first} ${second}`) ?? of(first ?? '');
  // The next word may be a mistyped command.
  const hasVerbs = named?.name === first && CATALOGUE.some(({ name }) => name.startsWith(`${first} `));
  return named === undefined || hasVerbs ? CATALOGUE : [named];
}

type Action = (spec: CommandSpec, args: string[], options: Record<string, unknown>) => Promise<void>;

export function buildProgram(
  terminal: Pick<Terminal, 'out' | 'err'>,
  version: string,
  action: Action,
  commands: readonly CommandSpec[] = CATALOGUE,
): Command {
  const program = new Command('thermidor');
  settle(program, terminal);
  program
    .description('Durable Lobster pipelines on Temporal.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand('help [command]', 'show help for a command')
    .addHelpText('after', exitCodes());
  const nouns = new Map<string, Command>();
  for (const spec of commands) {
    const [noun, verb] = spec.name.split(' ');
    if (noun === undefined || verb === undefined) nouns.set(spec.name, declare(program, spec.name, spec, terminal, action));
    else {
      const parent =
        nouns.get(noun) ??
        program
          .command(noun)
          .description(NOUNS[noun] ?? noun)
          .helpGroup(groupOf(spec));
      if (!nouns.has(noun)) settle(parent.helpCommand(false), terminal);
      nouns.set(noun, parent);
      declare(parent, verb, spec, terminal, action);
    }
  }
  return program;
}

function settle(command: Command, terminal: Pick<Terminal, 'out' | 'err'>): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ writeOut: (text) => terminal.out(text), writeErr: (text) => terminal.err(text) });
}

function declare(parent: Command, name: string, spec: CommandSpec, terminal: Pick<Terminal, 'out' | 'err'>, action: Action): Command {
  const command = parent.command(name).description(spec.summary);
  if (parent.parent === null) command.helpGroup(groupOf(spec));
  settle(command, terminal);
  if (spec.raw) command.allowUnknownOption();
  for (const argument of spec.arguments ?? []) command.argument(argument.form, argument.doc);
  for (const { flags, doc, choices, repeated } of spec.options ?? []) {
    const option = new Option(flags, doc);
    if (choices) option.choices(choices).argParser(oneOf(choices));
    if (repeated) option.argParser((value: string, before: string[] | undefined) => [...(before ?? []), value]);
    command.addOption(option);
  }
  command.addHelpText('after', `\nExample:\n${spec.examples.map((line) => `  thermidor ${line}`).join('\n')}`);
  command.action(async () => action(spec, command.args, command.opts()));
  return command;
}

/** The heading under which help lists it. */
function groupOf({ name }: CommandSpec): string {
  return `${GROUPS.find(({ commands }) => commands.some((one) => one.name === name))?.heading ?? 'Commands'}:`;
}

/** Checks a choice as commander does, with a suggestion. */
function oneOf(choices: readonly string[]): (value: string) => string {
  return (value) => {
    if (choices.includes(value)) return value;
    throw new InvalidArgumentError(didYouMean(value, choices, `allowed choices are ${choices.join(', ')}`) ?? '');
  };
}

function exitCodes(): string {
  return [
    '',
    'Exit codes:',
    '  0 completed, or done   1 failed, rejected, cancelled, aborted, or a check failed',
    '  2 usage, or an invalid pipeline   3 the run waits for a person   4 server or a needed part out of reach',
  ].join('\n');
}
