//! Reads a whole object piece by piece.
//!
//! One request for everything would have to be answered within the time a request may take, which says nothing about how long it takes to
//! read, decode and de-identify a large file; and it would hold one of the requests that are allowed at once for all that time. So every
//! piece is a request of its own, brought to its end while the one before is worked on, and all of them are of one version of the object.

use std::sync::Arc;

use bytes::Bytes;
use futures::StreamExt;
use futures::stream::BoxStream;
use object_store::path::Path as ObjectPath;
use object_store::{GetOptions, GetRange, ObjectStore, ObjectStoreExt, Result};
use tokio::task::JoinSet;

use super::Location;

/// Bytes of a piece: large enough that the way to the store does not count, small enough that two of them are no burden.
const PIECE: u64 = 8 << 20;

impl Location {
    /// The bytes of an object of this store in pieces of up to 8 MiB, at most two of them in memory; for files that take long to work on.
    /// Fails where the object changes meanwhile. Must be polled inside a runtime.
    pub fn read_in_ranges(&self, path: &ObjectPath) -> BoxStream<'static, Result<Bytes>> {
        read_pieces(self.store(), path.clone(), PIECE)
    }
}

fn read_pieces(store: Arc<dyn ObjectStore>, path: ObjectPath, piece: u64) -> BoxStream<'static, Result<Bytes>> {
    let pieces = async move {
        let meta = store.head(&path).await?;
        let fetch = move |start: u64| {
            let (store, path) = (Arc::clone(&store), path.clone());
            let range = GetRange::Bounded(start..meta.size.min(start + piece));
            let options = GetOptions { range: Some(range), if_match: meta.e_tag.clone(), ..GetOptions::default() };
            async move { store.get_opts(&path, options).await?.bytes().await }
        };
        let starts = (0..meta.size).step_by(usize::try_from(piece).unwrap_or(usize::MAX));
        Ok::<_, object_store::Error>(fetched_ahead(starts.map(fetch)))
    };
    futures::stream::once(pieces)
        .flat_map(|pieces| match pieces {
            Ok(pieces) => pieces,
            Err(error) => futures::stream::once(async move { Err(error) }).boxed(),
        })
        .boxed()
}

/// The results in order; the next is under way in a task of its own while one is worked on.
fn fetched_ahead(
    mut fetches: impl Iterator<Item: Future<Output = Result<Bytes>> + Send + 'static> + Send + 'static,
) -> BoxStream<'static, Result<Bytes>> {
    futures::stream::try_unfold((JoinSet::new(), true), move |(mut ahead, first)| {
        if first && let Some(fetch) = fetches.next() {
            ahead.spawn(fetch);
        }
        let next = fetches.next();
        async move {
            let Some(fetched) = ahead.join_next().await else { return Ok(None) };
            if let Some(next) = next {
                ahead.spawn(next);
            }
            Ok(Some((fetched??, (ahead, false))))
        }
    })
    .boxed()
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt;
    use object_store::memory::InMemory;
    use proptest::prelude::*;

    use super::*;

    async fn all(store: &Arc<dyn ObjectStore>, path: &ObjectPath, piece: u64) -> Result<Vec<Bytes>> {
        read_pieces(Arc::clone(store), path.clone(), piece).try_collect().await
    }

    proptest! {
        #[test]
        fn pieces_are_the_object(content in proptest::collection::vec(any::<u8>(), 0..40), piece in 1_u64..12) {
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            let (store, path): (Arc<dyn ObjectStore>, _) = (Arc::new(InMemory::new()), ObjectPath::from("x"));
            let pieces = runtime.block_on(async {
                store.put(&path, content.clone().into()).await.unwrap();
                all(&store, &path, piece).await.unwrap()
            });
            prop_assert!(pieces.iter().all(|bytes| bytes.len() as u64 <= piece));
            prop_assert_eq!(pieces.concat(), content);
        }
    }

    #[tokio::test]
    async fn an_object_that_changes_or_is_not_there_fails() {
        let (store, path): (Arc<dyn ObjectStore>, _) = (Arc::new(InMemory::new()), ObjectPath::from("x"));
        assert!(matches!(all(&store, &path, 2).await, Err(object_store::Error::NotFound { .. })));
        store.put(&path, "abcdef".into()).await.unwrap();
        let mut pieces = read_pieces(Arc::clone(&store), path.clone(), 2);
        assert_eq!(pieces.try_next().await.unwrap().unwrap(), "ab");
        store.put(&path, "uvwxyz".into()).await.unwrap();
        let rest: Result<Vec<_>> = pieces.try_collect().await;
        assert!(matches!(rest, Err(object_store::Error::Precondition { .. })));
    }
}
