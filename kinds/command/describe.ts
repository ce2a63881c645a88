import { defined } from '../../plan/defined';
import type { TestSource } from '../../plan/run/test-report';
import type { Description, ShownPlace } from '../../plan/steps/description';
import { fact, noLabel, outputFacts, placeData, placeFacts } from '../../plan/steps/description-parts';
import { shellWord } from '../../plan/text/shell-word';
import type { CommandStep } from './model';

export interface ShownCommand extends ShownPlace {
  kind: 'command';
  shell?: string;
  argv?: string[];
  tests?: TestSource;
}

export const COMMAND_DESCRIPTION: Description<CommandStep, ShownCommand> = {
  data(step, words) {
    const { command } = step;
    const what =
      'shell' in command
        ? { shell: words.shell(command.shell, command.raw === true) }
        : { argv: command.argv.map((one) => words.text(one)) };
    return { kind: 'command', ...what, ...defined({ tests: step.tests }), ...placeData(step, words) };
  },
  line: (data) => `${data.shell === undefined ? 'command' : 'shell'}${outputFacts(data)}`,
  facts: (data) => [
    ...fact('run', data.shell),
    ...fact('run', data.argv?.map(argvWord).join(' ')),
    ...fact('tests', data.tests && testsOf(data.tests)),
    ...placeFacts(data),
  ],
  label: noLabel,
  shape: 'program',
};

function testsOf({ format, file }: TestSource): string {
  return file === undefined ? format : `${format} in ${file}`;
}

/** A value that only the run knows is no text that a shell could misread. */
function argvWord(text: string): string {
  return text.includes('⟨') || text.includes('${') ? text : shellWord(text);
}
