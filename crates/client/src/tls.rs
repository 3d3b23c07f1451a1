//! TLS by rustls with ring, shared by requests and sockets.

use crate::ClientError;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};
use rustls_platform_verifier::Verifier;
use std::sync::Arc;

/// For HTTPS trusts what the operating system trusts, and the certificates in `ca_pem`. For plain
/// HTTP trusts nobody, and reads no files.
pub(crate) fn config(is_https: bool, ca_pem: Option<&[u8]>) -> Result<ClientConfig, ClientError> {
    let bad = |reason: &dyn ToString| ClientError::Roots(reason.to_string());
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|e| bad(&e))?;
    if !is_https {
        return Ok(builder.with_root_certificates(RootCertStore::empty()).with_no_client_auth());
    }
    let extra = CertificateDer::pem_slice_iter(ca_pem.unwrap_or_default());
    let extra: Vec<_> = extra.collect::<Result<_, _>>().map_err(|e| bad(&e))?;
    if ca_pem.is_some() && extra.is_empty() {
        return Err(bad(&"no certificate found"));
    }
    let verifier = Verifier::new_with_extra_roots(extra, provider).map_err(|e| bad(&e))?;
    let verifier = Arc::new(verifier);
    Ok(builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth())
}
