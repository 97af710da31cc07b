import { missingFiles, testFloods } from './inbox-floods.js';

await testFloods([missingFiles(10_000)]);
