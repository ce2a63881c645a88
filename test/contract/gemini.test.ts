import { describeAdapter } from './describe-adapter';
import { programUnderTest } from './harness/program';

describeAdapter('cli (gemini)', programUnderTest({ preset: 'gemini', tools: { read_file: 'read_file', run: 'run_shell_command' } }));
