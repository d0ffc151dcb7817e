import { ssrRenderAttrs } from "vue/server-renderer";
import { useSSRContext } from "vue";
import { _ as _export_sfc } from "./plugin-vue_export-helper.1tPrXgE0.js";
const __pageData = JSON.parse('{"title":"Function: boolean()","description":"","frontmatter":{},"headers":[],"relativePath":"reference/api/functions/svc-runtime.codec.boolean.md","filePath":"reference/api/functions/svc-runtime.codec.boolean.md"}');
const _sfc_main = { name: "reference/api/functions/svc-runtime.codec.boolean.md" };
function _sfc_ssrRender(_ctx, _push, _parent, _attrs, $props, $setup, $data, $options) {
  _push(`<div${ssrRenderAttrs(_attrs)}><h1 id="function-boolean" tabindex="-1">Function: boolean() <a class="header-anchor" href="#function-boolean" aria-label="Permalink to &quot;Function: boolean()&quot;">​</a></h1><h2 id="call-signature" tabindex="-1">Call Signature <a class="header-anchor" href="#call-signature" aria-label="Permalink to &quot;Call Signature&quot;">​</a></h2><blockquote><p><strong>boolean</strong>(<code>value</code>, <code>path</code>, <code>faults</code>): <code>boolean</code></p></blockquote><h3 id="parameters" tabindex="-1">Parameters <a class="header-anchor" href="#parameters" aria-label="Permalink to &quot;Parameters&quot;">​</a></h3><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>path</code></td><td><code>string</code></td></tr><tr><td><code>faults</code></td><td><a href="./../interfaces/svc-runtime.codec.Fault"><code>Fault</code></a>[]</td></tr></tbody></table><h3 id="returns" tabindex="-1">Returns <a class="header-anchor" href="#returns" aria-label="Permalink to &quot;Returns&quot;">​</a></h3><p><code>boolean</code></p><h2 id="call-signature-1" tabindex="-1">Call Signature <a class="header-anchor" href="#call-signature-1" aria-label="Permalink to &quot;Call Signature&quot;">​</a></h2><blockquote><p><strong>boolean</strong>&lt;<code>T</code>&gt;(<code>value</code>, <code>path</code>, <code>faults</code>, <code>only</code>): <code>T</code></p></blockquote><h3 id="type-parameters" tabindex="-1">Type Parameters <a class="header-anchor" href="#type-parameters" aria-label="Permalink to &quot;Type Parameters&quot;">​</a></h3><table tabindex="0"><thead><tr><th>Type Parameter</th></tr></thead><tbody><tr><td><a id="booleant"></a> <code>T</code> <em>extends</em> <code>boolean</code></td></tr></tbody></table><h3 id="parameters-1" tabindex="-1">Parameters <a class="header-anchor" href="#parameters-1" aria-label="Permalink to &quot;Parameters&quot;">​</a></h3><table tabindex="0"><thead><tr><th>Parameter</th><th>Type</th></tr></thead><tbody><tr><td><code>value</code></td><td><code>unknown</code></td></tr><tr><td><code>path</code></td><td><code>string</code></td></tr><tr><td><code>faults</code></td><td><a href="./../interfaces/svc-runtime.codec.Fault"><code>Fault</code></a>[]</td></tr><tr><td><code>only</code></td><td><code>T</code></td></tr></tbody></table><h3 id="returns-1" tabindex="-1">Returns <a class="header-anchor" href="#returns-1" aria-label="Permalink to &quot;Returns&quot;">​</a></h3><p><code>T</code></p></div>`);
}
const _sfc_setup = _sfc_main.setup;
_sfc_main.setup = (props, ctx) => {
  const ssrContext = useSSRContext();
  (ssrContext.modules || (ssrContext.modules = /* @__PURE__ */ new Set())).add("reference/api/functions/svc-runtime.codec.boolean.md");
  return _sfc_setup ? _sfc_setup(props, ctx) : void 0;
};
const svcRuntime_codec_boolean = /* @__PURE__ */ _export_sfc(_sfc_main, [["ssrRender", _sfc_ssrRender]]);
export {
  __pageData,
  svcRuntime_codec_boolean as default
};
