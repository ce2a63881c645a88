import { describeAdapter } from './describe-adapter';
import { SCRIPTED_ADAPTER } from './harness/scripted';

describeAdapter('scripted', SCRIPTED_ADAPTER);
