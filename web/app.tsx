import { useRef } from 'preact/hooks';
import { Alerts } from './attention/alerts.js';
import { findAlerts } from './attention/find-alerts.js';
import { findUndelivered } from './attention/find-undelivered.js';
import { EmptyNotice } from './components/empty-notice.js';
import { Loading } from './components/loading.js';
import { PageHeading } from './components/page-heading.js';
import { type Analyses, useAnalyses } from './history/use-analyses.js';
import type { Live } from './live/live.js';
import { useLive } from './live/use-live.js';
import { hrefTo, type Place } from './routing/route.js';
import { isJump } from './routing/use-jump.js';
import { usePlace } from './routing/use-place.js';
import { Announcer } from './shell/announcer.js';
import { Footer } from './shell/footer.js';
import { Header } from './shell/header.js';
import { useFocusOnNavigation } from './shell/use-focus-on-navigation.js';
import { HistoryView } from './views/history-view.js';
import { OverviewView } from './views/overview-view.js';
import { PodView } from './views/pod-view.js';
import { PodsView } from './views/pods-view.js';
import { RunGate } from './views/run-gate.js';
import { RunView } from './views/run-view.js';
import { UnknownView } from './views/unknown-view.js';
import { WarningsView } from './views/warnings-view.js';

/** In the lines below the figures of the overview. */
const analysesShown = 30;

export function App() {
  const live = useLive();
  const newest = useAnalyses(live, '', analysesShown);
  const [last] = newest.analyses;
  const alerts = findAlerts(live, last, findUndelivered(last));
  const [place, setParams] = usePlace();
  const main = useRef<HTMLElement>(null);
  const path = hrefTo(place.route);
  useFocusOnNavigation(path, isJump(place.params));
  return (
    <>
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          // The hash holds the route: a jump must not overwrite it.
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <Header route={place.route} live={live} />
      <main id="main" ref={main} tabIndex={-1}>
        <Alerts alerts={alerts} />
        <View key={path} live={live} newest={newest} place={place} onParams={setParams} />
      </main>
      <Footer />
      <Announcer live={live} alerts={alerts} />
    </>
  );
}

interface ViewProps {
  live: Live;
  newest: Analyses;
  place: Place;
  onParams: (params: URLSearchParams) => void;
}

function View({ live, newest, place: { route, params }, onParams }: ViewProps) {
  const { results } = live;
  switch (route.view) {
    case 'unknown':
      return <UnknownView />;
    case 'history':
      return live.empty ? (
        <Waiting live={live} title="History" />
      ) : (
        <HistoryView live={live} newest={newest} params={params} onParams={onParams} />
      );
    case 'run':
      return (
        <RunGate runId={route.runId} live={live}>
          {(run) => <RunView results={run} params={params} onParams={onParams} />}
        </RunGate>
      );
    case 'run-pod':
      return (
        <RunGate runId={route.runId} live={live}>
          {(run) => (
            <PodView
              podId={route.podId}
              results={run}
              live={live}
              newest={false}
              newestPods={results?.pods ?? []}
            />
          )}
        </RunGate>
      );
    case 'overview':
      if (results === null) return <Waiting live={live} title="The cohort now" />;
      return <OverviewView live={live} analyses={newest.analyses} results={results} />;
    case 'pods':
      if (results === null) return <Waiting live={live} title="Pods" />;
      return <PodsView results={results} params={params} onParams={onParams} />;
    case 'pod':
      if (results === null) return <Waiting live={live} title={route.podId} />;
      return (
        <PodView
          podId={route.podId}
          results={results}
          live={live}
          newest
          newestPods={results.pods}
        />
      );
    case 'warnings':
      if (results === null) return <Waiting live={live} title="Warnings" />;
      return <WarningsView results={results} />;
  }
}

/** A view of the newest results while there are none; why there are none is said above it. */
function Waiting({ live, title }: { live: Live; title: string }) {
  return (
    <>
      <PageHeading title={title} />
      {live.empty && <EmptyNotice />}
      {live.tick === 0 && <Loading what="the newest results" />}
    </>
  );
}
