import { joinFiles } from '../support/join-files';

joinFiles(__dirname, { nth: 4, of: 4 });
