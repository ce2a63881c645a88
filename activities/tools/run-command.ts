import { dirname } from 'node:path';
import { GIT_SETTINGS, redirectsGit } from '../../plan/agents/git-variables';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { field, type Json, type JsonObject } from '../../plan/text/json';
import type { CommandRequest } from '../ports';
import { beginOnce } from './begin-once';
import { shownName } from './files/file-text';
import { refused, type Tool, type ToolUse } from './tool';
import { numberArgument, textArgument, withRefusals } from './tool-arguments';
import { headAndTail, RESULT_CHARACTERS } from './truncate-result';

const TIMEOUT_SECONDS = 120;
const MOST_SECONDS = 3600;
const MOST_WORDS = 1000;
const STDIN_CHARACTERS = 1024 * 1024;
/** The limit of each stream as read; half of a result is shown of each. */
const OUTPUT_BYTES = 64 * 1024;

/**
 * A program of the worker's machine, without a shell: in a process group of its own that ends with the call, without a terminal, with a
 * timeout, little environment and no variable that leads git elsewhere. It is no sandbox: the program may do what the worker's user may,
 * also outside of the step's folder; and one that makes a session of its own (setsid) leaves the group, and is not ended.
 *
 * Begun at most once for one call: the ledger records its beginning first. If the worker died meanwhile (and the program with it), or was
 * stopped, the agent gets a note, and decides itself whether to run it again.
 */
export const RUN: Tool = {
  description:
    "Runs a program in the step's folder and waits for it. argv is the program and its arguments; no shell reads them, so no quotes, " +
    `pipes or variables. Answers with exit code, stdout and stderr, at most ${RESULT_CHARACTERS / 2} characters of each. There is no ` +
    `terminal: programs that ask questions get the end of stdin. Processes that it leaves running are ended. ${TIMEOUT_SECONDS} s by default.`,
  parameters: {
    type: 'object',
    required: ['argv'],
    additionalProperties: false,
    properties: {
      argv: { type: 'array', minItems: 1, maxItems: MOST_WORDS, items: { type: 'string' } },
      timeout_seconds: { type: 'integer', minimum: 1, maximum: MOST_SECONDS },
      stdin: { type: 'string', maxLength: STDIN_CHARACTERS },
    },
  },
  listedOnly: true,
  call: withRefusals(async (args, use) => {
    const argv = wordsOf(args['argv']);
    if (!argv[0]) return refused('`argv` needs a program as its first word');
    if (argv[0].startsWith('-'))
      return refused(`${shownName(argv[0])} is an option, not a program; a file of that name is ./${shownName(argv[0])}`);
    const request = requestOf(argv, args, use);
    if (await beginOnce(use.toolbox, use.run.key, `${use.idempotencyKey}/begun`)) {
      return {
        text:
          'this program was started before, and the worker was lost before the program ended; its output is lost. The program was ended with the worker, ' +
          'unless the worker was only stopped. It may have done a part of its work or all of it: check what it did before you run it again.',
      };
    }
    await use.requireOwn();
    return { text: report(await ended(use, request), use.mask) };
  }),
};

function wordsOf(argv: Json | undefined): string[] {
  return Array.isArray(argv) ? argv.filter((word) => typeof word === 'string') : [];
}

function requestOf(argv: readonly string[], args: JsonObject, use: ToolUse): CommandRequest {
  const stdin = textArgument(args, 'stdin');
  const onOutput = use.printed?.(`run ${argv.join(' ')}`);
  const names = (use.toolbox.toolSettings?.runPassEnv ?? []).filter((name) => !redirectsGit(name));
  return {
    command: { argv },
    cwd: use.cwd,
    // The folder may be within somebody's repository, which does not concern the step.
    env: { ...use.toolbox.toolPorts?.variables(names), ...GIT_SETTINGS, GIT_CEILING_DIRECTORIES: dirname(use.cwd), ...use.env },
    timeoutMs: (numberArgument(args, 'timeout_seconds') ?? TIMEOUT_SECONDS) * 1000,
    outputLimitBytes: OUTPUT_BYTES,
    cut: true,
    ...defined({ stdin, onOutput, mask: use.mask }),
  };
}

interface Ended {
  how: string;
  stdout: string;
  stderr: string;
}

/** Any end of the program is the answer; an aborted call has none. */
async function ended({ toolbox, signal }: ToolUse, request: CommandRequest): Promise<Ended> {
  try {
    return { how: 'exit code 0', ...(await toolbox.processes.run(request, signal)) };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ThermidorFailure)) throw error;
    const { code, details, message } = error;
    if (code !== 'command.failed' && code !== 'command.timeout') throw error;
    return { how: howEnded(code, details, request, message), stdout: outputOf(details, 'stdout'), stderr: outputOf(details, 'stderr') };
  }
}

function howEnded(code: string, details: Json | undefined, { timeoutMs = 0 }: CommandRequest, message: string): string {
  if (code === 'command.timeout') return `timed out after ${timeoutMs / 1000} s`;
  const [exitCode, signal] = [field(details, 'exitCode'), field(details, 'signal')];
  if (typeof exitCode === 'number') return `exit code ${exitCode}`;
  return typeof signal === 'string' ? `ended by ${signal}` : message;
}

function outputOf(details: Json | undefined, stream: 'stdout' | 'stderr'): string {
  const said = field(details, stream);
  return typeof said === 'string' ? said : '';
}

function report({ how, stdout, stderr }: Ended, mask: (text: string) => string): string {
  const streams = [section('stdout', mask(stdout)), section('stderr', mask(stderr))].filter((one) => one !== '');
  return [how, ...(streams.length > 0 ? streams : ['[no output]'])].join('\n');
}

function section(name: string, said: string): string {
  return said === '' ? '' : `--- ${name} ---\n${headAndTail(said.replace(/\n$/, ''), RESULT_CHARACTERS / 2)}`;
}
