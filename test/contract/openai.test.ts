import { describeAdapter } from './describe-adapter';
import { OPENAI } from './harness/openai';

describeAdapter('openai', OPENAI);
