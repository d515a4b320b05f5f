import { LOCAL_CREDENTIALS } from './emulator.ts';

/** Who we are on an emulator, and where, as AWS clients take it. */
export const IDENTITY = {
  region: LOCAL_CREDENTIALS.AWS_REGION,
  credentials: {
    accessKeyId: LOCAL_CREDENTIALS.AWS_ACCESS_KEY_ID,
    secretAccessKey: LOCAL_CREDENTIALS.AWS_SECRET_ACCESS_KEY,
  },
};
