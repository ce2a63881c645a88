import { joinFiles } from '../support/join-files';

joinFiles(__dirname, { nth: 1, of: 2 });
