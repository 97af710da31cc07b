import { Notice } from '../components/notice.js';
import { PageHeading } from '../components/page-heading.js';
import { hrefTo } from '../routing/route.js';

export function UnknownView() {
  return (
    <>
      <PageHeading title="No such page" />
      <Notice title="This link leads nowhere">
        <p>
          It may have been cut off on its way here. The{' '}
          <a href={hrefTo({ view: 'overview' })}>overview</a> has everything in reach.
        </p>
      </Notice>
    </>
  );
}
