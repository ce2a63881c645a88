import { describeAdapter } from './describe-adapter';
import { IN_LINES, programUnderTest } from './harness/program';

const tools = { read_file: 'read_file', run: 'run_shell_command' };
describeAdapter('cli (gemini)', programUnderTest({ preset: 'gemini', tools, abilities: IN_LINES, byAnothersTransport: true }));
