//! The objects behind the S3 server: a map under one lock, so that every request takes effect at one moment, as in S3.
//!
//! The crate `s3s-fs` keeps objects in files, and differs from S3 where it matters here: of several writers that put under a
//! condition at once more than one may succeed, a prefix answers HEAD as if it were an object, and keys of 200 bytes are too long.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

use bytes::{Bytes, BytesMut};
use futures::TryStreamExt;
use s3s::dto::*;
use s3s::{Body, S3, S3Request, S3Response, S3Result, s3_error};

/// What S3 wants of every part of an upload but the last.
const SMALLEST_PART: usize = 5 << 20;

#[derive(Clone, Default)]
pub struct Objects(Arc<Mutex<State>>);

#[derive(Default)]
pub struct State {
    pub buckets: BTreeMap<String, BTreeMap<String, Stored>>,
    /// The parts of the uploads that are neither completed nor aborted.
    pub uploads: BTreeMap<String, BTreeMap<i32, Stored>>,
    begun: usize,
}

#[derive(Clone)]
pub struct Stored {
    content: Bytes,
    tag: ETag,
    modified: Timestamp,
}

impl Stored {
    fn new(content: Bytes) -> Self {
        let hash = blake3::hash(&content).to_hex();
        Self { tag: ETag::Strong(hash[..32].to_owned()), content, modified: SystemTime::now().into() }
    }

    fn length(&self) -> Option<i64> {
        Some(self.content.len() as i64)
    }
}

impl Objects {
    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn bucket(&mut self, name: &str) -> S3Result<&mut BTreeMap<String, Stored>> {
        self.buckets.get_mut(name).ok_or_else(|| s3_error!(NoSuchBucket))
    }

    fn object(&mut self, bucket: &str, key: &str) -> S3Result<Stored> {
        self.bucket(bucket)?.get(key).cloned().ok_or_else(|| s3_error!(NoSuchKey))
    }

    /// Puts an object where the conditions hold.
    fn put(
        &mut self,
        [bucket, key]: [&str; 2],
        stored: Stored,
        if_match: Option<&ETagCondition>,
        if_none_match: Option<&ETagCondition>,
    ) -> S3Result<ETag> {
        let there = self.bucket(bucket)?.get(key).map(|stored| stored.tag.clone());
        if if_none_match.is_some_and(|condition| holds(condition, there.as_ref())) {
            return Err(s3_error!(PreconditionFailed));
        }
        if let Some(condition) = if_match {
            if there.is_none() {
                return Err(s3_error!(NoSuchKey));
            }
            if !holds(condition, there.as_ref()) {
                return Err(s3_error!(PreconditionFailed));
            }
        }
        let tag = stored.tag.clone();
        self.bucket(bucket)?.insert(key.to_owned(), stored);
        Ok(tag)
    }
}

fn holds(condition: &ETagCondition, there: Option<&ETag>) -> bool {
    match condition {
        ETagCondition::Any => there.is_some(),
        ETagCondition::ETag(tag) => there.is_some_and(|there| there.strong_cmp(tag)),
    }
}

/// A whole body. One that breaks off is an error, and nothing is stored of it.
async fn whole(body: Option<StreamingBlob>) -> S3Result<Stored> {
    let body = body.ok_or_else(|| s3_error!(IncompleteBody))?;
    let content: BytesMut = body.try_collect().await.map_err(|_| s3_error!(IncompleteBody))?;
    Ok(Stored::new(content.freeze()))
}

#[async_trait::async_trait]
impl S3 for Objects {
    async fn put_object(&self, request: S3Request<PutObjectInput>) -> S3Result<S3Response<PutObjectOutput>> {
        let input = request.input;
        let stored = whole(input.body).await?;
        let name = [&*input.bucket, &*input.key];
        let tag = self.state().put(name, stored, input.if_match.as_ref(), input.if_none_match.as_ref())?;
        Ok(S3Response::new(PutObjectOutput { e_tag: Some(tag), ..Default::default() }))
    }

    async fn get_object(&self, request: S3Request<GetObjectInput>) -> S3Result<S3Response<GetObjectOutput>> {
        let input = request.input;
        let stored = self.state().object(&input.bucket, &input.key)?;
        if input.if_match.as_ref().is_some_and(|condition| !holds(condition, Some(&stored.tag))) {
            return Err(s3_error!(PreconditionFailed));
        }
        if input.if_none_match.as_ref().is_some_and(|condition| holds(condition, Some(&stored.tag))) {
            return Err(s3_error!(NotModified));
        }
        let length = stored.content.len() as u64;
        let (content, content_range) = match input.range {
            None => (stored.content, None),
            Some(range) => {
                let range = range.check(length)?;
                let told = format!("bytes {}-{}/{length}", range.start, range.end - 1);
                (stored.content.slice(range.start as usize..range.end as usize), Some(told))
            }
        };
        Ok(S3Response::new(GetObjectOutput {
            content_length: Some(content.len() as i64),
            body: Some(Body::from(content).into()),
            content_range,
            e_tag: Some(stored.tag),
            last_modified: Some(stored.modified),
            ..Default::default()
        }))
    }

    async fn head_object(&self, request: S3Request<HeadObjectInput>) -> S3Result<S3Response<HeadObjectOutput>> {
        let stored = self.state().object(&request.input.bucket, &request.input.key)?;
        Ok(S3Response::new(HeadObjectOutput {
            content_length: stored.length(),
            e_tag: Some(stored.tag),
            last_modified: Some(stored.modified),
            ..Default::default()
        }))
    }

    /// What a store says that is asked for the object of no name.
    async fn head_bucket(&self, request: S3Request<HeadBucketInput>) -> S3Result<S3Response<HeadBucketOutput>> {
        self.state().bucket(&request.input.bucket)?;
        Ok(S3Response::new(HeadBucketOutput::default()))
    }

    async fn list_objects_v2(
        &self,
        request: S3Request<ListObjectsV2Input>,
    ) -> S3Result<S3Response<ListObjectsV2Output>> {
        let input = request.input;
        let prefix = input.prefix.clone().unwrap_or_default();
        let after = input.continuation_token.clone().or(input.start_after.clone()).unwrap_or_default();
        let most = input.max_keys.unwrap_or(1000).clamp(1, 1000) as usize;
        let mut output =
            ListObjectsV2Output { name: Some(input.bucket.clone()), prefix: input.prefix, ..Default::default() };
        let (mut objects, mut prefixes) = (Vec::new(), Vec::<String>::new());
        let mut state = self.state();
        for (key, stored) in state.bucket(&input.bucket)?.range(prefix.clone()..) {
            if !key.starts_with(&prefix) {
                break;
            }
            let folder = input.delimiter.as_ref().and_then(|delimiter| {
                let end = key[prefix.len()..].find(delimiter.as_str())? + delimiter.len();
                Some(key[..prefix.len() + end].to_owned())
            });
            let name = folder.as_ref().unwrap_or(key);
            if *name <= after || prefixes.last() == folder.as_ref() && folder.is_some() {
                continue;
            }
            if objects.len() + prefixes.len() == most {
                output.is_truncated = Some(true);
                break;
            }
            output.next_continuation_token = Some(name.clone());
            match folder {
                Some(folder) => prefixes.push(folder),
                None => objects.push(Object {
                    key: Some(key.clone()),
                    size: stored.length(),
                    e_tag: Some(stored.tag.clone()),
                    last_modified: Some(stored.modified.clone()),
                    ..Default::default()
                }),
            }
        }
        if output.is_truncated.is_none() {
            output.next_continuation_token = None;
        }
        output.key_count = Some((objects.len() + prefixes.len()) as i32);
        output.contents = Some(objects);
        let common = |prefix| CommonPrefix { prefix: Some(prefix) };
        output.common_prefixes = Some(prefixes.into_iter().map(common).collect());
        Ok(S3Response::new(output))
    }

    async fn delete_object(&self, request: S3Request<DeleteObjectInput>) -> S3Result<S3Response<DeleteObjectOutput>> {
        self.state().bucket(&request.input.bucket)?.remove(&request.input.key);
        Ok(S3Response::new(DeleteObjectOutput::default()))
    }

    async fn delete_objects(
        &self,
        request: S3Request<DeleteObjectsInput>,
    ) -> S3Result<S3Response<DeleteObjectsOutput>> {
        let mut state = self.state();
        let bucket = state.bucket(&request.input.bucket)?;
        let mut deleted = Vec::new();
        for object in request.input.delete.objects {
            bucket.remove(&object.key);
            deleted.push(DeletedObject { key: Some(object.key), ..Default::default() });
        }
        Ok(S3Response::new(DeleteObjectsOutput { deleted: Some(deleted), ..Default::default() }))
    }

    async fn copy_object(&self, request: S3Request<CopyObjectInput>) -> S3Result<S3Response<CopyObjectOutput>> {
        let input = request.input;
        let CopySource::Bucket { bucket, key, .. } = &input.copy_source else {
            return Err(s3_error!(NotImplemented));
        };
        let mut state = self.state();
        let copy = Stored::new(state.object(bucket, key)?.content);
        let result = CopyObjectResult { e_tag: Some(copy.tag.clone()), ..Default::default() };
        state.put([&input.bucket, &input.key], copy, None, None)?;
        Ok(S3Response::new(CopyObjectOutput { copy_object_result: Some(result), ..Default::default() }))
    }

    async fn create_multipart_upload(
        &self,
        request: S3Request<CreateMultipartUploadInput>,
    ) -> S3Result<S3Response<CreateMultipartUploadOutput>> {
        let mut state = self.state();
        state.bucket(&request.input.bucket)?;
        state.begun += 1;
        let id = format!("upload-{}", state.begun);
        state.uploads.insert(id.clone(), BTreeMap::new());
        let (bucket, key) = (Some(request.input.bucket), Some(request.input.key));
        Ok(S3Response::new(CreateMultipartUploadOutput { bucket, key, upload_id: Some(id), ..Default::default() }))
    }

    async fn upload_part(&self, request: S3Request<UploadPartInput>) -> S3Result<S3Response<UploadPartOutput>> {
        let input = request.input;
        let part = whole(input.body).await?;
        let e_tag = Some(part.tag.clone());
        let mut state = self.state();
        let parts = state.uploads.get_mut(&input.upload_id).ok_or_else(|| s3_error!(NoSuchUpload))?;
        parts.insert(input.part_number, part);
        Ok(S3Response::new(UploadPartOutput { e_tag, ..Default::default() }))
    }

    async fn complete_multipart_upload(
        &self,
        request: S3Request<CompleteMultipartUploadInput>,
    ) -> S3Result<S3Response<CompleteMultipartUploadOutput>> {
        let input = request.input;
        let mut state = self.state();
        let parts = state.uploads.get(&input.upload_id).ok_or_else(|| s3_error!(NoSuchUpload))?;
        let wanted = input.multipart_upload.and_then(|upload| upload.parts).unwrap_or_default();
        let mut content = BytesMut::new();
        for (at, part) in wanted.iter().enumerate() {
            let stored =
                part.part_number.and_then(|number| parts.get(&number)).ok_or_else(|| s3_error!(InvalidPart))?;
            if part.e_tag.as_ref() != Some(&stored.tag) {
                return Err(s3_error!(InvalidPart));
            }
            if at + 1 < wanted.len() && stored.content.len() < SMALLEST_PART {
                return Err(s3_error!(EntityTooSmall));
            }
            content.extend_from_slice(&stored.content);
        }
        let stored = Stored::new(content.freeze());
        let name = [&*input.bucket, &*input.key];
        let tag = state.put(name, stored, input.if_match.as_ref(), input.if_none_match.as_ref())?;
        state.uploads.remove(&input.upload_id);
        let (bucket, key) = (Some(input.bucket), Some(input.key));
        let output = CompleteMultipartUploadOutput { bucket, key, e_tag: Some(tag), ..Default::default() };
        Ok(S3Response::new(output))
    }

    async fn abort_multipart_upload(
        &self,
        request: S3Request<AbortMultipartUploadInput>,
    ) -> S3Result<S3Response<AbortMultipartUploadOutput>> {
        self.state().uploads.remove(&request.input.upload_id).ok_or_else(|| s3_error!(NoSuchUpload))?;
        Ok(S3Response::new(AbortMultipartUploadOutput::default()))
    }
}
