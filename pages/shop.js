var Ca=Object.defineProperty;var Ta=(e,t)=>{for(var n in t)Ca(e,n,{get:t[n],enumerable:!0})};var P,sr,so,Ke,no,$n,ar,bn,ir,ao,oo,lr,Kt=Symbol.for("pv"),xn={},Pn=[],Ea=/^m(i|n|o|s|text|space)$/,io=Array.isArray,lo=Pn.slice,st=Object.assign;function rt(e){e&&e.parentNode&&e.remove()}function Sn(e,t,n){var o,r,s,a={},i=arguments.length;for(s in t)s=="key"?o=t[s]:s=="ref"&&typeof e!="function"?r=t[s]:a[s]=t[s];return i>2&&(a.children=i>3?lo.call(arguments,2):n),Bt(e,a,o,r,null)}function Bt(e,t,n,o,r){var s={type:e,props:t,key:n,ref:o,__k:null,__:null,__b:0,__e:null,__c:null,constructor:Kt,__v:r||++sr,__i:-1,__u:0};return!r&&P.vnode&&P.vnode(s),s}function at(e){return e.children}function bt(e,t){this.props=e,this.context=t,this.__g=0}function ze(e,t){if(t==null)return e.__&&ze(e.__,e.__i+1);for(var n;t<e.__k.length;t++)if((n=e.__k[t])&&n.__e)return n.__e;return typeof e.type!="function"||e.props.__P?null:ze(e)}function Na(e){var t,n=e.__v,o=n.__e,r=[],s=[],a=e.__P;a&&((t=st({constructor:Kt},n)).__v=n.__v+1,P.vnode&&P.vnode(t),uo(a,t,n,e.__n,a.namespaceURI,32&n.__u?[o]:null,r,o||ze(n),32&n.__u,s),t.__v=n.__v,t.__.__k[t.__i]=t,mr(r,t,s),n.__=n.__e=null,t.__e!=o&&ur(t))}function ur(e){if((e=e.__)&&e.__c&&!e.props.__P)return e.__e=null,e.__k.some(function(t){return t&&(e.__e=t.__e)}),ur(e)}function ro(e){(8&e.__g||(e.__g|=8,Ke.push(e),$n++))&&no==P.debounceRendering||((no=P.debounceRendering)||queueMicrotask)(cr)}function cr(){try{for(var e,t=1;Ke.length;)Ke.length>t&&Ke.sort(ar),e=Ke.shift(),t=Ke.length,8&e.__g&&Na(e)}finally{($n=Ke.length)&&(no||queueMicrotask)(cr)}}function dr(e,t,n,o,r,s,a,i,u,f,c){var p,m,d,g,S,w,O=o.__k||Pn,h=t.length;for(u=Ma(n,t,O,u,h),p=0;p<h;p++)(d=n.__k[p])!=null&&(m=~d.__i&&O[d.__i]||xn,d.__i=p,w=uo(e,d,m,r,s,a,i,u,f,c),g=d.__e,(m.ref!=d.ref||8&m.__u)&&(m.ref&&co(m.ref,null,d,m),d.ref&&c.push(d.ref,d.__c||g,d)),S=S||g,4&d.__u?(u=fr(d,u,e,!m.__v),m.__e&&(m.__e=null)):typeof d.type=="function"&&w!==void 0?u=w:g&&(u=g.nextSibling),d.__u&=-21);return n.__e=S,u}function Ma(e,t,n,o,r){var s,a,i,u,f,c,p,m,d,g=n.length,S=g,w=0,O=0,h=e.__k=Array(r);for(s=0;s<r;s++)(a=t[s])!=null&&typeof a!="boolean"&&typeof a!="function"?(typeof a!="object"||a.constructor===String?a=h[s]=Bt(null,a):io(a)?a=h[s]=Bt(at,{children:a}):a.constructor===Kt&&a.__b?a=h[s]=Bt(a.type,a.props,a.key,a.ref,a.__v):h[s]=a,u=s+w,a.__=e,a.__b=e.__b+1,i=null,~(f=a.__i=Ia(a,n,u,S))&&(S--,(i=n[f])&&(i.__u|=2)),i&&i.__v?(a.__u|=16,f==u-1?w--:f==u+1?w++:f!=u&&(f>u?w--:w++,O=1)):(~f||(r>g?w--:r<g&&w++),typeof a.type!="function"&&(a.__u|=4))):h[s]=null;if(O){for(c=[],p=[],s=0;s<r;s++)if((a=h[s])&&16&a.__u){for(w=0,m=c.length;w<m;)c[d=w+m>>1]<a.__i?w=d+1:m=d;c[w]=a.__i,p[s]=w+1}for(w=c.length;s--;)p[s]&&(p[s]==w?w--:h[s].__u|=4)}if(S)for(s=0;s<g;s++)!(i=n[s])||2&i.__u||(i.__e==o&&(o=ze(i)),fo(i,i));return o}function fr(e,t,n,o){var r,s,a,i;if(typeof e.type=="function"){if(e.props.__P)return t;if(r=e.__k)for(s=0;s<r.length;s++)r[s]&&(r[s].__=e,t=fr(r[s],t,n,!1));return t}for(t&&!t.parentNode&&(t=ze(e))&&!t.parentNode&&(t=null),a=e.__e,i=t;i&&i.nodeType==8;)i=i.nextSibling;for(a!=i&&(!o&&n.moveBefore&&a.parentNode?n.moveBefore(a,t):n.insertBefore(a,t||null)),t=a;(t=t&&t.nextSibling)&&t.nodeType==8&&!t.data.startsWith("$s"););return t}function Ia(e,t,n,o){var r,s=e.key,a=e.type,i=t[n],u=i&&!(2&i.__u);if(i===null&&s==null||u&&s==i.key&&a==i.type)return n;if(o>(u?1:0)){for(r=n-1;r>=0;r--)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r;for(r=n+1;r<t.length;r++)if((i=t[r])&&!(2&i.__u)&&s==i.key&&a==i.type)return r}return-1}function rr(e,t,n){n==null&&(n=""),t[0]=="-"?e.setProperty(t,n):e[t]=n}function _n(e,t,n,o,r){var s,a;if(t=="style")if(typeof n=="string")e.style.cssText=n;else{if(typeof o=="string"&&(e.style.cssText=o=""),o)for(t in o)n&&t in n||rr(e.style,t);if(n)for(t in n)o&&n[t]==o[t]||rr(e.style,t,n[t])}else if(t[0]=="o"&&t[1]=="n")typeof n!="function"&&(n=null),typeof o!="function"&&(o=null),(e.__e||(e.__e={}))[t]=n,n&&o||(a=oo[t]||(oo[t]=Aa(t)),(e.__a||(e.__a={}))[t]=ao,s=t!=(t=t.replace(ir,"$1")),(t=t.slice(2))[0]<"a"&&(t=t.toLowerCase()),n?e.addEventListener(t,a,s):e.removeEventListener(t,a,s));else{if(r=="http://www.w3.org/2000/svg")t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(t!="width"&&t!="height"&&t!="href"&&t!="list"&&t!="form"&&t!="tabIndex"&&t!="download"&&t!="rowSpan"&&t!="colSpan"&&t!="role"&&t!="popover"&&t in e)try{return void(e[t]=n??"")}catch{}if(typeof n=="function")return;n==null||n===!1&&t[4]!="-"?e.removeAttribute(t):e.setAttribute(t,t=="popover"&&n==1?"":n)}}function Aa(e){return function(t){var n=this.__e;if(n){if(n=n[e],t[bn]==null)t[bn]=ao++;else if(t[bn]<this.__a[e])return;return n(P.event?P.event(t):t)}}}function uo(e,t,n,o,r,s,a,i,u,f){var c,p,m,d,g,S,w,O,h,C,A,nt,q,Oe,Ce,_t,Te,ot,Re=t.type;if(t.constructor!==Kt)return null;128&n.__u&&(u=32&n.__u,c=n.__c.__z)&&(t.__u|=u,p=s=[],c.nodeType==8?i=wn(c,s):s.push(c),i=s[0]||i),(c=P.__b)&&c(t);e:if(typeof Re=="function"){m=a.length;try{if(O=t.props,h=(c=Re.prototype)&&c.render,C=(c=Re.contextType)&&o[c.__c],A=c?C?C.props.value:c.__:o,(d=n.__c)?(t.__c=d,2&d.__g&&(d.__g|=1)):(h?t.__c=d=new Re(O,A):(t.__c=d=new bt(O,A),d.constructor=Re,d.render=Da),C&&C.sub(d),d.state||(d.state={}),d.__n=o,d.__g|=8,d.__h=[],d.__k=[]),h&&(d.__s||(d.__s=d.state),Re.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=st({},d.__s)),st(d.__s,Re.getDerivedStateFromProps(O,d.__s)))),g=d.props,S=d.state,d.__v=t,n.__c){if(O!==g&&h&&!Re.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(O,A),t.__v==n.__v&&!(8&d.__g)||!(4&d.__g)&&d.shouldComponentUpdate&&d.shouldComponentUpdate(O,d.__s,A)===!1){t.__v!=n.__v&&(d.props=O,d.state=d.__s,d.__g&=-9),t.__e=n.__e,t.__k=n.__k,t.__k.some(function(ue){ue&&(ue.__=t)}),Pn.push.apply(d.__h,d.__k),d.__k=[],d.__h.length&&a.push(d),i=ze(n);break e}d.componentWillUpdate&&d.componentWillUpdate(O,d.__s,A),h&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(g,S,w)})}else h&&!Re.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),h&&d.componentDidMount&&d.__h.push(d.componentDidMount);d.context=A,d.props=O,d.__P=e,d.__g&=-5,nt=P.__r,q=h?25:0;do d.__g&=-9,nt&&nt(t),c=d.render(d.props,d.state=d.__s,d.context);while(8&d.__g&&++q<25);h&&(Pn.push.apply(d.__h,d.__k),d.__k=[]),d.state=d.__s,d.getChildContext&&(o=st({},o,d.getChildContext())),h&&n.__c&&d.getSnapshotBeforeUpdate&&(w=d.getSnapshotBeforeUpdate(g,S)),Oe=c&&c.type===at&&c.key==null?c.props.children:c,O.__P&&(c=i,r=(e=O.__P).namespaceURI,u=s=null,n.props&&n.props.__P!=e&&(n.__k.some(function(ue){ue&&fo(ue,ue)}),n.__k=null),i=n.__k?ze(n,0):null),i=dr(e,io(Oe)?Oe:[Oe],t,n,o,r,s,a,i,u,f),O.__P&&(t.__e=null,i=c),t.__u&=-161,p&&p.some(rt),d.__h.length&&a.push(d),1&d.__g&&(d.__g&=-4)}catch(ue){if(a.length=m,t.__v=null,u||s)if(ue&&ue.then){if(t.__u|=128|u,s){for(~(Te=s.indexOf(i||void 0))||(Te=s.length);(ot=s[Te-1])&&ot.nodeType==8;)Te--;for(;Te<s.length;Te++)if(ot=s[Te])if(s[Te]=null,Ce){if(ot==_t)break}else{if(ot.nodeType!=8)break;ot.data.startsWith("$s")&&(_t=wn(Ce=ot))}}if(!Ce){for(;i&&i.nodeType==8&&i.nextSibling;)i=i.nextSibling;Ce=i}(c=wn(Ce=t.__c.__z||(t.__c.__z=Ce)))?(t.__e=Ce,i=c):t.__e=i,i=i&&i.nextSibling}else s&&s.some(rt);else t.__e=n.__e;t.__k||(t.__k=n.__k||[]),ue&&ue.then||pr(t),P.__e(ue,t,n)}}else i=t.__e=La(n.__e,t,n,o,r,s,a,u,f,e);return(c=P.diffed)&&c(t),i}function wn(e,t){if(e&&e.nodeType==8&&e.data.startsWith("$s"))for(var n=1;e=e.nextSibling;){if(e.nodeType==8){if(e.data.startsWith("$s"))n++;else if(e.data.startsWith("/$s")&&!--n)return e}t&&t.push(e)}}function pr(e){e&&(e.__c&&(e.__c.__g|=4),e.__k&&e.__k.some(pr))}function mr(e,t,n){for(var o=0;o<n.length;)co(n[o++],n[o++],n[o++]);P.__c&&P.__c(t,e),e.some(function(r){try{e=r.__h,r.__h=[],e.some(function(s){s.call(r)})}catch(s){P.__e(s,r.__v)}})}function La(e,t,n,o,r,s,a,i,u,f){var c,p,m,d,g,S,w,O,h=n.props||xn,C=t.props,A=t.type;if(A=="svg"?r="http://www.w3.org/2000/svg":A=="math"?r="http://www.w3.org/1998/Math/MathML":r||(r="http://www.w3.org/1999/xhtml"),s){for(c=0;c<s.length;c++)if((g=s[c])&&(A?g.localName==A:g.nodeType==3)){e=g,s[c]=null;break}}if(!e){if(O=f.ownerDocument||document,!A)return O.createTextNode(C);e=O.createElementNS(r,A,C.is?C:f),i&&(P.__m&&P.__m(t,s),i=!1),s=null}if(A){if(f=A=="template"&&e.content||e,s=A=="textarea"&&C.defaultValue!=null?null:s&&lo.call(f.childNodes),!i&&s)for(h={},c=0;c<e.attributes.length;c++)h[(g=e.attributes[c]).name]=g.value;for(c in h)g=h[c],c=="dangerouslySetInnerHTML"?m=g:c=="children"||c in C||c=="value"&&"defaultValue"in C||c=="checked"&&"defaultChecked"in C||_n(e,c,null,g,r);for(c in C)g=C[c],c=="children"?d=g:c=="dangerouslySetInnerHTML"?p=g:c=="value"?S=g:c=="checked"?w=g:i&&typeof g!="function"||h[c]===g||_n(e,c,g,h[c],r);p?(i||m&&(p.__html==m.__html||p.__html==e.innerHTML)||(e.innerHTML=p.__html),t.__k=[]):(m&&(e.textContent=""),(A=="foreignObject"||r=="http://www.w3.org/1998/Math/MathML"&&Ea.test(A))&&(r="http://www.w3.org/1999/xhtml"),dr(f,io(d)?d:[d],t,n,o,r,s,a,s?s[0]:n.__k&&ze(n,0),i,u),s&&s.some(rt)),i&&A!="textarea"||(c="value",A=="progress"&&S==null?e.removeAttribute(c):S==null||S===e[c]&&(A!="progress"||S)||_n(e,c,S,h[c],r),c="checked",w!=null&&w!=e[c]&&_n(e,c,w,h[c],r))}else h===C||i&&e.data==C||(e.data=C);return e}function co(e,t,n,o){try{typeof e=="function"?t?t.__x=e(t)||1:o&&(o=o.__c||o.__e)&&(t=o.__x)&&(o.__x=null,typeof t=="function"?t():e(null)):e.current=t}catch(r){P.__e(r,n)}}function fo(e,t,n){var o,r,s,a;if(P.unmount&&P.unmount(e),!(o=e.ref)||o.current&&o.current!=e.__e||co(o,null,t,e),o=e.__c){if(o.componentWillUnmount)try{o.componentWillUnmount()}catch(i){P.__e(i,t)}o.__P=o.__n=null}if(o=e.__k)for(a=0;a<o.length;a++)o[a]&&fo(o[a],t,typeof e.type!="function"||n&&!e.props.__P);!n&&(o=e.__c)&&(o=o.__z)&&(r=wn(o,s=[]))&&(o==e.__e&&s.some(rt),rt(r),rt(o)),n||rt(e.__e),e.__e=e.__c=e.__=null}function Da(e,t,n){return this.constructor(e,n)}function hr(e,t){var n,o,r,s;P.__&&P.__(e,t),t.nodeType==9&&(t=t.documentElement),o=(n=e&&32&e.__u)?null:t.__k,t.__k=Bt(at,{children:[e]}),r=[],s=[],uo(t,t.__k,o||xn,xn,t.namespaceURI,o?null:t.firstChild?lo.call(t.childNodes):null,r,o?o.__e:t.firstChild,n,s),mr(r,t.__k,s),t.__k.props.children=null}function yr(e){function t(n){var o,r;return this.getChildContext||(o=new Set,(r={})[t.__c]=this,this.getChildContext=function(){return r},this.shouldComponentUpdate=function(s){this.props.value!=s.value&&o.forEach(function(a){a.__g|=4,ro(a)})},this.sub=function(s){o.add(s);var a=s.componentWillUnmount;s.componentWillUnmount=function(){o.delete(s),a&&a.call(s)}}),n.children}return t.__c="__cC"+lr++,t.__=e,t.Provider=(t.Consumer=function(n,o){return n.children(o)}).contextType=t,t}P={__e:function(e,t,n,o){for(var r,s,a;t=t.__;)if((r=t.__c)&&!(1&r.__g)){r.__g|=4;try{if((a=(s=r.constructor)&&s.getDerivedStateFromError)&&r.setState(s.getDerivedStateFromError(e)),r.componentDidCatch&&(r.componentDidCatch(e,o||{}),a=1),a&&8&r.__g)return void(r.__g|=2)}catch(i){e=i}}throw $n=0,e}},sr=0,so=function(e){return e!=null&&e.constructor===Kt},bt.prototype.setState=function(e,t){var n=this.__s;n&&n!=this.state||(n=this.__s=st({},this.state)),typeof e=="function"&&(e=e(st({},n),this.props)),e&&(st(n,e),this.__v&&(t&&this.__k.push(t),ro(this)))},bt.prototype.forceUpdate=function(e){this.__v&&(this.__g|=4,e&&this.__h.push(e),ro(this))},bt.prototype.render=at,Ke=[],$n=0,ar=function(e,t){return e.__v.__b-t.__v.__b},bn=Symbol(),ir=/(PointerCapture)$|Capture$/i,ao=0,oo={},lr=0;var Ge,F,po,vr,mo=Object.is,kn=0,kr=[],ho=[],V=P,gr=V.__b,_r=V.__r,br=V.diffed,wr=V.__c,$r=V.unmount,xr=V.__;function wt(e,t){V.__h&&V.__h(F,e,kn||t),kn=0;var n=F.__H||(F.__H={__:[],__h:[]});return e>=n.__.length&&n.__.push({}),n.__[e]}function X(e){return kn=1,Ra(Er,e)}function Ra(e,t,n){var o=wt(Ge++,2);if(o.t=e,!o.__c&&(o.__=[n?n(t):Er(void 0,t),function(s){var a=(o.__N||o.__)[0],i=o.t(a,s);mo(a,i)||(o.__N=[i,o.__[1]],o.__c.setState({}))}],o.__c=F,!F.__f)){F.__f=!0;var r=F.shouldComponentUpdate;F.shouldComponentUpdate=function(s,a,i){var u=this.__H;if(!u)return!0;var f=!1,c=this.props!=s;if(u.__.some(function(m){m.__N&&(f=!0,mo(m.__[0],m.__N[0])||(c=!0))}),r){var p=r.call(this,s,a,i);return f?p||c:p}return!f||c}}return o.__}function Q(e,t){var n=wt(Ge++,3);!V.__s&&vo(n.__H,t)&&(n.__P=!0,n.__=e,n.u=t,F.__H.__h.push(n))}function Or(e,t){var n=wt(Ge++,4);!V.__s&&vo(n.__H,t)&&(n.__P=!1,n.__=e,n.u=t,F.__h.push(n))}function j(e){return kn=5,Gt(function(){return{current:e}},[])}function Gt(e,t){var n=wt(Ge++,7);return vo(n.__H,t)&&(n.__=e(),n.__H=t),n.__}function Cr(e){var t=F.context[e.__c],n=wt(Ge++,9);return n.c=e,t?(n.__==null&&(n.__=!0,t.sub(F)),t.props.value):e.__}function Tr(){var e=wt(Ge++,11);if(!e.__){for(var t=F.__v;!t.__m&&t.__;)t=t.__;var n=t.__m||(t.__m=[0,0]);e.__="P"+n[0]+"-"+n[1]++}return e.__}function Fa(){var e;do{for(;e=ho.shift();)try{zt(e)}catch(n){V.__e(n,{__:(e=e.__P)&&e.__v})}for(;e=kr.shift();){var t=e.__H;if(e.__P&&t)try{t.__h.some(zt),t.__h.some(yo),t.__h=[]}catch(n){t.__h=[],V.__e(n,e.__v)}}}while(ho.length)}V.__b=function(e){F=null,gr&&gr(e)},V.__=function(e,t){e&&t.__k&&t.__k.__m&&(e.__m=t.__k.__m),xr&&xr(e,t)},V.__r=function(e){_r&&_r(e),Ge=0;var t=(F=e.__c).__H;t&&(po==F?F.__h=[]:(t.__h.some(zt),t.__h.some(yo),Ge=0),t.__h=[],t.__.some(function(n){n.__N&&(n.__=n.__N),n.u=n.__N=void 0})),po=F},V.diffed=function(e){br&&br(e);var t=e.__c;t&&t.__H&&(t.__H.__h.length&&Sr(kr.push(t)),t.__H.__.some(function(n){n.u&&(n.__H=n.u)})),po=F=null},V.__c=function(e,t){t.some(function(n){try{n.__h.some(zt),n.__h=n.__h.filter(function(o){return!o.__||yo(o)})}catch(o){n.__h=[function(){throw o}]}}),wr&&wr(e,t)},V.unmount=function(e){$r&&$r(e);var t,n,o=e.__c;o&&o.__H&&(o.__H.__.some(function(r){try{if(r.__P&&r.__c){if(n===void 0){for(n=e.__;n&&(!n.__c||!n.__c.__P);)n=n.__;n=n&&n.__c}r.__P=n,Sr(ho.push(r))}else zt(r)}catch(s){t=s}}),o.__H=void 0,t&&V.__e(t,o.__v))};var Pr=typeof requestAnimationFrame=="function";function Va(e){var t,n=function(){clearTimeout(o),Pr&&cancelAnimationFrame(t),setTimeout(e)},o=setTimeout(n,35);Pr&&(t=requestAnimationFrame(n))}function Sr(e){e!=1&&vr==V.requestAnimationFrame||((vr=V.requestAnimationFrame)||Va)(Fa)}function zt(e){var t=F,n=e.__c;typeof n=="function"&&(e.__c=void 0,n()),F=t}function yo(e){var t=F;e.__c=e.__(),F=t}function vo(e,t){return!e||e.length!=t.length||t.some(function(n,o){return!mo(n,e[o])})}function Er(e,t){return typeof t=="function"?t(e):t}var Ha=Symbol.for("preact-signals");function En(){if(Fe>1)Fe--;else{var e,t=!1;for((function(){var r=Cn;for(Cn=void 0;r!==void 0;){var s=r.S;if(s.v===r.v)for(var a=s.t;a!==void 0;a=a.x)a.i===r.i&&(a.i=s.i);r=r.o}})();Qt!==void 0;){var n=Qt;for(Qt=void 0,On++;n!==void 0;){var o=n.u;if(n.u=void 0,n.f&=-3,!(8&n.f)&&Mr(n))try{n.c()}catch(r){t||(e=r,t=!0)}n=o}}if(On=0,Fe--,t)throw e}}function Y(e){if(Fe>0)return e();go=++qa,Fe++;try{return e()}finally{En()}}var Jt,L=void 0;function ee(e){var t=L,n=Jt;L=void 0,Jt=void 0;try{return e()}finally{L=t,Jt=n}}var Qt=void 0,Fe=0,On=0,qa=0,go=0,Cn=void 0,Tn=0;function Nr(e){if(L!==void 0){var t=e.n;if(t===void 0||t.t!==L)return t={i:0,S:e,p:L.s,n:void 0,t:L,e:void 0,x:void 0,r:t},L.s!==void 0&&(L.s.n=t),L.s=t,e.n=t,32&L.f&&e.S(t),t;if(t.i===-1)return t.i=0,t.n!==void 0&&(t.n.p=t.p,t.p!==void 0&&(t.p.n=t.n),t.p=L.s,t.n=void 0,L.s.n=t,L.s=t),t}}function W(e,t){this.v=e,this.i=0,this.n=void 0,this.t=void 0,this.l=0,this.W=t?.watched,this.Z=t?.unwatched,this.name=t?.name}W.prototype.brand=Ha;W.prototype.h=function(){return!0};W.prototype.S=function(e){var t=this,n=this.t;n!==e&&e.e===void 0&&(e.x=n,this.t=e,n!==void 0?n.e=e:ee(function(){var o;(o=t.W)==null||o.call(t)}))};W.prototype.U=function(e){var t=this;if(this.t!==void 0){var n=e.e,o=e.x;n!==void 0&&(n.x=o,e.e=void 0),o!==void 0&&(o.e=n,e.x=void 0),e===this.t&&(this.t=o,o===void 0&&ee(function(){var r;(r=t.Z)==null||r.call(t)}))}};W.prototype.subscribe=function(e){var t=this;return E(function(){var n=t.value;ee(function(){return e(n)})},{name:"sub"})};W.prototype.valueOf=function(){return this.value};W.prototype.toString=function(){return this.value+""};W.prototype.toJSON=function(){return this.value};W.prototype.peek=function(){var e=this;return ee(function(){return e.value})};Object.defineProperty(W.prototype,"value",{get:function(){var e=Nr(this);return e!==void 0&&(e.i=this.i),this.v},set:function(e){if(e!==this.v){if(On>100)throw new Error("Cycle detected");(function(n){Fe!==0&&On===0&&n.l!==go&&(n.l=go,Cn={S:n,v:n.v,i:n.i,o:Cn})})(this),this.v=e,this.i++,Tn++,Fe++;try{for(var t=this.t;t!==void 0;t=t.x)t.t.N()}finally{En()}}}});function _(e,t){return new W(e,t)}function Mr(e){for(var t=e.s;t!==void 0;t=t.n)if(t.S.i!==t.i||!t.S.h()||t.S.i!==t.i)return!0;return!1}function Ir(e){for(var t=e.s;t!==void 0;t=t.n){var n=t.S.n;if(n!==void 0&&(t.r=n),t.S.n=t,t.i=-1,t.n===void 0){e.s=t;break}}}function Ar(e){for(var t=e.s,n=void 0;t!==void 0;){var o=t.p;t.i===-1?(t.S.U(t),o!==void 0&&(o.n=t.n),t.n!==void 0&&(t.n.p=o)):n=t,t.S.n=t.r,t.r!==void 0&&(t.r=void 0),t=o}e.s=n}function it(e,t){W.call(this,void 0,t),this.x=e,this.s=void 0,this.g=Tn-1,this.f=4}it.prototype=new W;it.prototype.h=function(){if(this.f&=-3,1&this.f)return!1;if((36&this.f)==32||(this.f&=-5,this.g===Tn))return!0;if(this.g=Tn,this.f|=1,this.i>0&&!Mr(this))return this.f&=-2,!0;var e=L;try{Ir(this),L=this;var t=this.x();(16&this.f||this.v!==t||this.i===0)&&(this.v=t,this.f&=-17,this.i++)}catch(n){this.v=n,this.f|=16,this.i++}return L=e,Ar(this),this.f&=-2,!0};it.prototype.S=function(e){if(this.t===void 0){this.f|=36;for(var t=this.s;t!==void 0;t=t.n)t.S.S(t)}W.prototype.S.call(this,e)};it.prototype.U=function(e){if(this.t!==void 0&&(W.prototype.U.call(this,e),this.t===void 0)){this.f&=-33;for(var t=this.s;t!==void 0;t=t.n)t.S.U(t)}};it.prototype.N=function(){if(!(2&this.f)){this.f|=6;for(var e=this.t;e!==void 0;e=e.x)e.t.N()}};Object.defineProperty(it.prototype,"value",{get:function(){if(1&this.f)throw new Error("Cycle detected");var e=Nr(this);if(this.h(),e!==void 0&&(e.i=this.i),16&this.f)throw this.v;return this.v}});function $(e,t){return new it(e,t)}function Lr(e){var t=e.j;if(e.j=void 0,typeof t=="function"){Fe++;var n=L;L=void 0;try{t()}catch(o){throw e.f&=-2,e.f|=8,_o(e),o}finally{L=n,En()}}}function _o(e){for(var t=e.s;t!==void 0;t=t.n)t.S.U(t);e.x=void 0,e.s=void 0,Lr(e)}function Ua(e){if(L!==this)throw new Error("Out-of-order effect");Ar(this),L=e,this.f&=-2;try{8&this.f&&_o(this)}finally{En()}}function $t(e,t){this.x=e,this.j=void 0,this.s=void 0,this.u=void 0,this.f=32,this.name=t?.name,Jt&&Jt.push(this)}$t.prototype.c=function(){var e=this.S();try{if(8&this.f||this.x===void 0)return;var t=this.x();typeof t=="function"&&(this.j=t)}finally{e()}};$t.prototype.S=function(){if(1&this.f)throw new Error("Cycle detected");this.f|=1,this.f&=-9,Lr(this),Ir(this),Fe++;var e=L;return L=this,Ua.bind(this,e)};$t.prototype.N=function(){2&this.f||(this.f|=2,this.u=Qt,Qt=this)};$t.prototype.d=function(){this.f|=8,1&this.f||_o(this)};$t.prototype.dispose=function(){this.d()};function E(e,t){var n=new $t(e,t);try{n.c()}catch(r){throw n.d(),r}var o=n.d.bind(n);return o[Symbol.dispose]=o,o}var Dr,Xt,Nn,ja=typeof window<"u"&&!!window.__PREACT_SIGNALS_DEVTOOLS__;var Rr=[];E(function(){Dr=this.N})();function xt(e,t){P[e]=t.bind(null,P[e]||function(){})}function Zt(e){if(Nn){var t=Nn;Nn=void 0,t()}Nn=e&&e.S()}function Fr(e){var t=this,n=e.data,o=Ba(n);o.name="ReactiveDom",o.value=n;var r=Gt(function(){for(var i=t,u=t.__v;u=u.__;)if(u.__c){u.__c.__$f|=4;break}var f=$(function(){var d=o.value.value;return d===0?0:d===!0?"":d||""}),c=$(function(){return!Array.isArray(f.value)&&!so(f.value)}),p=E(function(){if(this.N=Hr,c.value){var d=f.value;i.__v&&i.__v.__e&&i.__v.__e.nodeType===3&&(i.__v.__e.data=d)}}),m=t.__$u.d;return t.__$u.d=function(){p(),m.call(this)},[c,f]},[]),s=r[0],a=r[1];return s.value?a.peek():a.value}Fr.displayName="ReactiveTextNode";Object.defineProperties(W.prototype,{constructor:{configurable:!0,value:Sn(at,null).constructor},type:{configurable:!0,value:Fr},props:{configurable:!0,get:function(){var e=this;return{data:{get value(){return e.value}}}}},__b:{configurable:!0,value:1}});xt("__b",function(e,t){if(Zt(),Xt=void 0,typeof t.type=="string"){var n,o=t.props;for(var r in o)if(r!=="children"){var s=o[r];s instanceof W&&(n||(t.__np=n={}),n[r]=s,o[r]=s.peek())}}e(t)});xt("__r",function(e,t){if(e(t),t.type!==at){Zt();var n,o=t.__c;o&&(o.__$f&=-2,(n=o.__$u)===void 0&&(o.__$u=n=(function(r,s){var a;return E(function(){a=this},{name:s}),a.c=r,a})((function(r){return function(){var s;ja&&((s=this.y)==null||s.call(this)),r.__$f|=1,r.setState({})}})(o),typeof t.type=="function"?t.type.displayName||t.type.name:""))),Xt=o,Zt(n)}});xt("__e",function(e,t,n,o){Zt(),Xt=void 0,e(t,n,o)});xt("diffed",function(e,t){Zt(),Xt=void 0;var n;if(typeof t.type=="string"&&(n=t.__e)){var o=t.__np,r=t.props,s=n.U;if(s)for(var a in s){var i=s[a];i===void 0||o&&a in o||(i.d(),s[a]=void 0)}if(o){s||(s={},n.U=s);for(var u in o){var f=s[u],c=o[u];f===void 0?(f=Wa(n,u,c,r),s[u]=f):f.o(c,r)}}}e(t)});function Wa(e,t,n,o){var r=t in e&&e.ownerSVGElement===void 0,s=_(n);return{o:function(a,i){s.value=a,o=i},d:E(function(){this.N=Hr;var a=s.value.value;o[t]!==a&&(o[t]=a,r?e[t]=a:a!=null&&(a!==!1||t[4]==="-")?e.setAttribute(t,a):e.removeAttribute(t))})}}xt("unmount",function(e,t){if(typeof t.type=="string"){var n=t.__e;if(n){var o=n.U;if(o){n.U=void 0;for(var r in o){var s=o[r];s&&s.d()}}}var a=t.__np;if(a){var i=t.props;for(var u in a)i[u]=a[u]}t.__np=void 0}else{var f=t.__c;if(f){f.__$f|=8;var c=f.__$u;c&&(f.__$u=void 0,c.d())}}e(t)});xt("__h",function(e,t,n,o){o<3&&(t.__$f|=2),e(t,n,o)});bt.prototype.shouldComponentUpdate=function(e,t){if(this.__R)return!0;var n=this.__$u,o=n&&n.s!==void 0;for(var r in t)return!0;if(this.__f||typeof this.u=="boolean"&&this.u===!0){var s=2&this.__$f;if(!(o||s||4&this.__$f)||1&this.__$f)return!0}else if(!(o||4&this.__$f)||3&this.__$f)return!0;for(var a in e)if(a!=="__source"&&e[a]!==this.props[a])return!0;for(var i in this.props)if(!(i in e))return!0;return!1};function Ba(e,t){return Gt(function(){return _(e,t)},[])}function Vr(e,t){var n=j(e);return n.current=e,Xt.__$f|=4,Gt(function(){return $(function(){return n.current()},t)},[])}var Ka=function(e){queueMicrotask(function(){queueMicrotask(e)})};function za(){Y(function(){for(var e;e=Rr.shift();)Dr.call(e)})}function Hr(){Rr.push(this)===1&&(P.requestAnimationFrame||Ka)(za)}var qr=new Set(["id","petId","categoryId"]),Ga=/("(?:id|petId|categoryId)"\s*:\s*)(-?(?:0|[1-9][0-9]*))(?![0-9.eE])|"(?:[^"\\]|\\.)*"?/g;function be(e){let t=e.replace(Ga,(n,o,r)=>o===void 0?n:`${o}"${r}"`);return JSON.parse(t,function(n,o){return typeof o!="string"||!qr.has(n)||!/^-?(?:0|[1-9][0-9]*)$/.test(o)?o:(Object.defineProperty(this,"toJSON",{value:Ur,configurable:!0,writable:!0}),BigInt(o))})}function Ur(){let{rawJSON:e}=JSON,t=o=>e?.(String(o))??(Number.isSafeInteger(Number(o))?Number(o):String(o)),n=Object.entries(this).map(([o,r])=>[o,typeof r=="bigint"?t(r):r]);return Object.fromEntries(n)}function te(e){return typeof e=="bigint"?String(e):typeof e!="object"||e===null?JSON.stringify(e):Array.isArray(e)?`[${e.map(n=>te(n)??"null")}]`:"toJSON"in e&&typeof e.toJSON=="function"&&e.toJSON!==Ur?te(e.toJSON()):`{${Object.entries(e).map(([n,o])=>{let r=typeof o=="number"&&qr.has(n)?Ee(o):te(o);return r&&`${JSON.stringify(n)}:${r}`}).filter(Boolean)}}`}function Ee(e){if(typeof e=="bigint"||Number.isSafeInteger(e))return String(e);throw new TypeError(`${e} is not an exact integer; write it as a bigint, such as 1n`)}var Yt=["available","pending","sold"],Ja=["oldest","name"],Mn=e=>{if(e===null||!/^-?\d{1,19}$/.test(e))return;let t=BigInt.asIntN(64,BigInt(e));return String(t)===e?t:void 0},wo=128,In=_(location.search),bo=!1;addEventListener("popstate",()=>{bo=!1,In.value=location.search});var v=$(()=>{let e=new URLSearchParams(In.value);return{category:Mn(e.get("category")),status:Yt.find(t=>t===e.get("status")),search:e.get("search")?.trim().slice(0,wo)||void 0,sort:Ja.find(t=>t===e.get("sort")),show:e.get("show")==="orders"?"orders":void 0,pet:Mn(e.get("pet"))}}),Pt=48,oe=100,Qa=$(()=>{let{status:e,category:t,search:n,sort:o}=v.value;return te({limit:n||o==="name"?oe:Pt,status:e,categoryId:t,search:n,order:o==="oldest"?"asc":"desc"})}),He=$(()=>be(Qa.value));function Ve(e){let t=new URLSearchParams;for(let[n,o]of Object.entries({...v.value,...e}))o!==void 0&&t.set(n,String(o));return`${location.pathname}${t.size>0?`?${t}`:""}`}function U(e,t=!1){let n=e.pet!==void 0;t||n&&v.value.pet!==void 0?history.replaceState(history.state,"",Ve(e)):history.pushState(n?{}:null,"",Ve(e)),In.value=location.search}if(history.state===null&&v.value.pet!==void 0){let{href:e}=location;history.replaceState(null,"",Ve({pet:void 0})),history.pushState({},"",e)}function lt(){history.state===null?(history.replaceState(null,"",Ve({pet:void 0})),In.value=location.search):bo||(bo=!0,history.back())}var Lo={};Ta(Lo,{BadRequestError:()=>xo,ConflictError:()=>Oo,ConnectionError:()=>Ue,ContentTooLargeError:()=>Eo,ForbiddenError:()=>Po,GoneError:()=>Co,HeadersTooLargeError:()=>Ao,InternalError:()=>en,InvalidWebhookError:()=>$o,MethodNotAllowedError:()=>So,NotFoundError:()=>ct,PetStoreError:()=>we,PreconditionFailedError:()=>To,RefusedError:()=>qe,RequestTimeoutError:()=>ko,TimeoutError:()=>je,TooManyRequestsError:()=>kt,UnauthorizedError:()=>St,UnavailableError:()=>tn,UnexpectedAnswerError:()=>ut,UnprocessableError:()=>Io,UnsupportedMediaTypeError:()=>Mo,UriTooLongError:()=>No});var we=class extends Error{constructor(t,n={}){super(t,n),Object.assign(this,n)}},qe=class extends we{};qe.prototype.name="RefusedError";function H(e,t){let n=class extends(t===void 0?we:qe){};return Object.assign(n.prototype,{name:e,status:t}),n}var Ue=class extends H("ConnectionError"){},je=class extends H("TimeoutError"){},ut=class extends H("UnexpectedAnswerError"){},$o=class extends H("InvalidWebhookError"){},xo=class extends H("BadRequestError",400){},St=class extends H("UnauthorizedError",401){},Po=class extends H("ForbiddenError",403){},ct=class extends H("NotFoundError",404){},So=class extends H("MethodNotAllowedError",405){},ko=class extends H("RequestTimeoutError",408){},Oo=class extends H("ConflictError",409){},Co=class extends H("GoneError",410){},To=class extends H("PreconditionFailedError",412){},Eo=class extends H("ContentTooLargeError",413){},No=class extends H("UriTooLongError",414){},Mo=class extends H("UnsupportedMediaTypeError",415){},Io=class extends H("UnprocessableError",422){},kt=class extends H("TooManyRequestsError",429){},Ao=class extends H("HeadersTooLargeError",431){},en=class extends H("InternalError",500){},tn=class extends H("UnavailableError",503){};function jr({status:e,headers:t},n){let[,o,r]=/r=(\d+);t=(\d+)/.exec(t.get("ratelimit")??"")??[],s=o?{remaining:Number(o),resetSeconds:Number(r)}:void 0;return{status:e,headers:t,requestId:t.get("x-request-id")??n,rateLimit:s}}function Wr(e,t,n){let{status:o,headers:r,requestId:s}=e,a={status:o,requestId:s,retryAfterMs:ei(r.get("retry-after"))},i=(c,p)=>new ut(`The response, with status ${o}, ${c}.`,{...a,cause:p}),u=o>=200&&o<300||o===304;try{let c=t===""?void 0:be(t);if(u&&n(c))return{...e,body:c};let{code:p,message:m,...d}=Object(c);if(!u&&typeof p=="string"&&typeof m=="string"&&d.status===o)return new(Za(o))(m,{...a,code:p})}catch(c){return i("is not JSON",c)}let f=r.get("location");return i(f===null?"did not come from the service":`redirects to ${f}`)}function Za(e){return Object.values(Lo).find(({prototype:n})=>n.status===e)??qe}var Xa=250,Ya=8e3,An=e=>e instanceof Ue||e instanceof je||e.status===503,Ln=e=>An(e)||e.status===429||e.status===408||e.code==="idempotency_in_progress",Do=(e,t)=>t()*Math.min(Ya,Xa*2**e);function ei(e){if(e===null)return;let t=/^[0-9]+$/.test(e)?Number(e)*1e3:Date.parse(e)-Date.now();return Number.isNaN(t)?void 0:Math.max(0,t)}var nn=async(e,t)=>{await new Promise(n=>{let o=()=>{clearTimeout(r),t?.removeEventListener("abort",o),n()},r=setTimeout(o,t?.aborted?0:e);t?.addEventListener("abort",o)}),t?.throwIfAborted()};var ti="1.0.0",Dn=class{#e;#t=new WeakMap;constructor(t){let{fetch:n=(s,a)=>globalThis.fetch(s,a)}=t??{},{sleep:o=nn,random:r=Math.random}=t??{};this.#e={...t,...oi(t),fetch:n,sleep:o,random:r}}async call(t,n,o={}){let r=s=>t==="DELETE"||Object(s)===s;return(await this.send(t,n,{...o,isExpected:r})).body}add(t,n,{idempotencyKey:o=Ot(),...r}={}){return this.call("POST",t,{...r,body:n,idempotencyKey:o})}act(t,n){return this.call("POST",t,{...n,isIdempotent:!0})}remember(t,n){let o=n.get("etag");return o&&Object(t)===t&&this.#t.set(t,o),t}etagOf(t){return this.#t.get(t)}async send(t,n,o={}){let{signal:r,maxRetries:s=this.#e.maxRetries??3}=o,{maxRetryAfterMs:a=this.#e.maxRetryAfterMs??6e4}=o,i=this.#e.baseUrl+Br(n,o.query),u=this.#n(t,o),f=!1;for(let c=0;;c++){r?.throwIfAborted();let p=await this.#r(i,u,o);if(!(p instanceof we))return this.remember(p.body,p.headers),p;if(f&&t==="DELETE"&&p instanceof ct)return{status:204,headers:new Headers,body:void 0,rateLimit:void 0,requestId:Ro(u)};f||=An(p);let{retryAfterMs:m=0}=p;if(c>=s||m>a||!si(u,o,p))throw p;await this.#e.sleep(m+Do(c,this.#e.random),r)}}pause(t,n){return this.#e.sleep(Do(t,this.#e.random),n)}async*pieces(t,n){let{baseUrl:o,fetch:r,sleep:s}=this.#e,{signal:a}=n,i=new AbortController,u=a?AbortSignal.any([a,i.signal]):i.signal,f=async p=>{let m=new AbortController;s(ni,m.signal).then(()=>i.abort()).catch(()=>{});let d=await p.catch(()=>{}).finally(()=>m.abort());return a?.throwIfAborted(),d};a?.throwIfAborted();let c=this.#n("GET",n);try{let p=await f(r(o+Br(t,n.query),{...c,signal:u}));if(p&&this.#o(p,c,n),!p?.ok||!p.body)return;let m=p.body.pipeThrough(new TextDecoderStream).getReader();for(;;){let d=await f(m.read());if(!d||d.done)return;yield d.value}}finally{i.abort()}}#n(t,{body:n,idempotencyKey:o,ifMatch:r,headers:s}){let{apiKey:a,headers:i}=this.#e,u=new Headers({Authorization:`Bearer ${a}`,"X-Request-Id":Ot()});"location"in globalThis||u.set("User-Agent",`petstore-client/${ti}`),n&&u.set("Content-Type","application/json"),o!==void 0&&u.set("Idempotency-Key",o);let f=typeof r=="object"?this.etagOf(r):r;if(f)u.set("If-Match",f.replace(/^W\//,""));else if(r!==void 0)throw new TypeError("ifMatch: not what create, get, update or put of this client returned");for(let[p,m]of Object.entries({...i,...s}))u.set(p,m);return{method:t,headers:u,redirect:"manual",...(t==="DELETE"||t==="PUT")&&{keepalive:!1},...n&&{body:te(n)}}}async#r(t,n,o){let{signal:r,timeoutMs:s=this.#e.timeoutMs??3e4,isExpected:a=()=>!0}=o,i=AbortSignal.timeout(s),u=r?AbortSignal.any([r,i]):i,f,c;try{f=await this.#e.fetch(t,{...n,signal:u}),c=await f.text()}catch(p){r?.throwIfAborted();let m={cause:p,requestId:Ro(n)};if(i.aborted)return new je(`No response within ${s} ms.`,m);let{host:d,origin:g}=new URL(t),S=`The connection to ${d} failed before the response was complete.`;return new Ue(S+ri(g),m)}return Wr(this.#o(f,n,o),c,a)}#o(t,n,{onResponse:o}){let r=jr(t,Ro(n));return this.#e.onResponse?.(r),o?.(r),r}},ni=3e4,Ot=()=>Array.from(crypto.getRandomValues(new Uint8Array(16)),e=>e.toString(16).padStart(2,"0")).join(""),Ro=({headers:e})=>e.get("x-request-id")??"";function Br(e,t={}){let n=new URLSearchParams,o=r=>typeof r=="string"?r:Ee(r);for(let[r,s]of Object.entries(t))s!==void 0&&n.set(r,[s].flat().map(o).join());return n.size===0?e:`${e}?${n}`}function oi({baseUrl:e,apiKey:t}={}){let n=/^https?:\/\/[^/?#@\s]+(?:\/[^?#\s]*)?\/v[0-9]+(?=\/?$)/i.exec(e??"")?.[0],o=/^[!-~]+$/.exec(String(t??"").trim())?.[0];if(n&&o)return{baseUrl:n,apiKey:o};let r=[n?[]:"baseUrl must begin with https:// or http:// and end in the version, as in https://shop.example/v1",o?[]:"apiKey must be a key of the service, as made by `petstore keys create`"];throw new TypeError(`new PetStore({ baseUrl, apiKey }): ${r.flat().join("; ")}`)}function ri(e){let{location:t}=globalThis;return!t||t.origin===e?"":` The cause may be CORS: the operator must list ${t.origin} in CORS_ORIGINS.`}function si({method:e,headers:t},n,o){let{idempotencyKey:r,isIdempotent:s=r!==void 0}=n;return An(o)?e==="POST"?s:e==="DELETE"||!t.has("if-match"):Ln(o)}var ai=/(?<=^|[,;|\t\r\n])(?=[\s"]*[=+@＝＋－＠-])/g,Kr=e=>/^-?[0-9]+$/.test(e)?e:e.replace(ai,"'"),Ct=e=>e.normalize("NFKC").replace(/\s+/g," ").trim().toLowerCase();var Tt,Fo;function Vo(){clearInterval(Fo),Fo=setInterval(()=>{clearInterval(Fo),Tt=void 0},1e3)}function zr(){Tt=void 0}function ii(e){let{target:t,detail:n,clientX:o,clientY:r}=e,s=t instanceof Element&&t.closest("a, button");if(!s||n===0)return;if(Tt&&Math.hypot(o-Tt.x,r-Tt.y)<24||n>1)e.preventDefault(),e.stopPropagation();else if(s.matches(".deed"))Tt={x:o,y:r};else return;Vo()}var Gr=()=>addEventListener("click",ii,!0);var ce="petstore.key";function Qr(e){try{return window[e]}catch{return}}var dt=Qr("sessionStorage"),de=Qr("localStorage"),I=_(dt?.getItem(ce)??de?.getItem(ce)??null),Rn=_(I.value!==null&&de?.getItem(ce)===I.value),on=new BroadcastChannel(ce),Jr="";function Zr(e){dt?.setItem(ce,e),Y(()=>{I.value=e,Rn.value=de?.getItem(ce)===e})}function Xr(e,t){t?de?.setItem(ce,e):de?.getItem(ce)===e&&de.removeItem(ce),Zr(e),on.postMessage(e)}function Et(){for(let e of[dt,de])e?.getItem(ce)===I.value&&e.removeItem(ce);Y(()=>{I.value=null,Rn.value=!1})}function Yr(){Et(),de?.removeItem(ce),on.postMessage(null)}function es(e){on.onmessage=({data:t})=>{t===null?(e(),Et()):t!==Jr?(I.value===null||I.value===t)&&Zr(t):I.value!==null&&on.postMessage(I.value)},I.value===null&&on.postMessage(Jr)}var fe=class{#e;#t;constructor(t,n,o={},r){this.#e=o,this.#t=async s=>{let{body:a,headers:i}=await t.send("GET",n,{...r,query:s,isExpected:Array.isArray}),u=a;return Array.isArray(s.id)&&s.id.length===1&&t.remember(u[0],i),{items:u,next:li(i.get("link"))}}}async page(){return this.#t(this.#e)}async toArray({limit:t=1/0}={}){let n=[];if(t>0){for await(let o of this.#n(Math.min(t,100)))if(n.push(o)>=t)break}return n}[Symbol.asyncIterator](){return this.#n(100)}async*#n(t){let{cursor:n,after:o,from:r,limit:s=t,...a}=this.#e,i={cursor:n,after:o,from:r};for(;;){let{items:u,next:f}=await this.#t({...a,limit:s,...i});if(yield*u,f===void 0||f===i.cursor)return;i={cursor:f}}}};function li(e){let[,t=""]=/<([^>]*)>[^<]*;\s*rel="?next"?/i.exec(e??"")??[];return new URLSearchParams(t.split("?")[1]).get("cursor")??void 0}var ui=64,Fn=class{#e;constructor(t){this.#e=t}list(t,n){return new fe(this.#e,"/events",{...t},n)}async*follow({after:t,cursor:n,...o}={},r={}){let s={start:{after:t,cursor:n}};for(let a=0;;){let i=yield*this.#t(o,s,r);a=i?0:a+1;let u=i?0:Math.min(ui,2**(a-1));do u>0&&!(yield*this.#n(o,s,r))&&(u=0),await this.#e.pause(a,r.signal);while(--u>0)}}async*#t(t,n,o){let{after:r,cursor:s}=n.start,a={...o.headers,...r!==void 0&&{"Last-Event-ID":String(r)}},i=!1,u="",f={...t,cursor:s};for await(let c of this.#e.pieces("/events/stream",{...o,headers:a,query:f})){let p=(u+c).split(`

`);u=p.pop()??"";for(let{id:m,data:d,"":g}of p.map(ci))i||=d!==void 0||g!==void 0,m!==void 0&&(n.start={after:m},d!==void 0&&(yield be(d)))}return i}async*#n(t,n,o){try{for(;;){let{after:r,cursor:s}=n.start;r===void 0&&s===void 0&&(n.start={from:"now"});let{items:a,next:i}=await this.list({limit:100,...t,...n.start},o).page();if(yield*a,n.start={cursor:i},i===s)return!0}}catch(r){if(!(r instanceof we&&(Ln(r)||(r.status??0)>=500)))throw r;return o.onError?.(r),!1}}},ci=e=>Object.fromEntries(e.split(`
`).map(t=>t.split(/: ?(.*)/s,2)));var Vn=class{#e;constructor(t){this.#e=t}list(t,n){return new fe(this.#e,"/webhooks",{...t},n)}async create(t,n){return this.#e.call("POST","/webhooks",{...n,body:t})}async get(t,n){return this.#e.call("GET",ft(t),n)}async update(t,n,o){return this.#e.call("PATCH",ft(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ft(t),n)}async rotate(t,n){return this.#e.call("POST",`${ft(t)}/rotate`,n)}async test(t,n){return this.#e.act(`${ft(t)}/test`,n)}deliveries(t,n,o){return new fe(this.#e,`${ft(t)}/deliveries`,{...n},o)}async redeliver(t,n,o){let r=`${ft(t)}/deliveries/${Ee(n)}/redeliver`;return this.#e.act(r,o)}},ft=e=>`/webhooks/${Ee(e)}`;var Hn=class{pets;orders;categories;events;webhooks;#e;constructor(t){let n=new Dn(t);this.#e=n,this.pets=new Ho(n),this.orders=new qo(n),this.categories=new Uo(n),this.events=new Fn(n),this.webhooks=new Vn(n)}async inventory(t){return this.#e.call("GET","/store/inventory",t)}inventoryByCategory(t,n){return new fe(this.#e,"/store/inventory",{by:"category",...t},n)}async sales(t,n){return this.#e.call("GET","/store/sales",{...n,query:{days:t}})}etag(t){return this.#e.etagOf(t)}async me(t){return this.#e.call("GET","/me",t)}async request(t,n,o){if(new URL(n,"http://_").pathname!==n)throw new TypeError("path: not encoded, or has a query");return this.#e.send(t,n,o)}},Ho=class{#e;constructor(t){this.#e=t}list(t,n){return new fe(this.#e,"/pets",{...t},n)}async create(t,n){return this.#e.add("/pets",t,n)}async get(t,n){let o={...n,query:{id:[t]},isExpected:Array.isArray},{body:r,headers:s,requestId:a}=await this.#e.send("GET","/pets",o),[i]=r;if(i)return this.#e.remember(i,s);throw new ct("No animal has this identifier.",{status:404,code:"pet_not_found",requestId:a})}async update(t,n,o){return this.#e.call("PATCH",ts(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ts(t),n)}},qo=class{#e;constructor(t){this.#e=t}list(t,n){return new fe(this.#e,"/store/orders",{...t},n)}async place(t,n){return this.#e.add("/store/orders",t,n)}async get(t,n){return this.#e.call("GET",rn(t),n)}async update(t,n,o){return this.#e.call("PATCH",rn(t),{...o,body:n})}async complete(t,n){return this.#e.act(`${rn(t)}/complete`,n)}async cancel(t,n){return this.#e.act(`${rn(t)}/cancel`,n)}async return(t,n){return this.#e.act(`${rn(t)}/return`,n)}},Uo=class{#e;constructor(t){this.#e=t}list(t,n){return new fe(this.#e,"/categories",{...t},n)}async put(t,n,o){return this.#e.call("PUT",ns(t),{...o,body:n})}async delete(t,n){return this.#e.call("DELETE",ns(t),n)}},ts=e=>`/pets/${Ee(e)}`,rn=e=>`/store/orders/${Ee(e)}`,ns=e=>`/categories/${Ee(e)}`;var di=new URL("v1",document.baseURI).href,ss=e=>dt?.getItem(e)??null;function as(e,t){t===null?dt?.removeItem(e):dt?.setItem(e,t)}var J=_(!0),sn=_(0),re=_(null),Ne=_(""),b=e=>re.value?.scopes.includes(e)??!1,fi=8,is={pause:0};function pi(e){let[,t=1,n=1]=/;q=(\d+);w=(\d+)/.exec(e.get("ratelimit-policy")??"")??[],o=Number(n)/Number(t);return 1e3*(Number(e.get("retry-after"))+Math.min(Number(n),fi*o))}var ls=e=>new Hn({baseUrl:di,apiKey:e,timeoutMs:15e3,maxRetryAfterMs:2e3,fetch:async(t,n)=>{try{let o=await fetch(t,n);return J.value=!0,o.status===401&&e===I.value&&Et(),o.status===429&&(is.pause=pi(o.headers)),o}catch(o){throw o.name!=="AbortError"&&!t.includes("/events/stream")&&(J.value=!1),o}}}),os=$(()=>I.value===null?void 0:ls(I.value));function y(){if(os.value)return os.value;throw new St("Nobody is signed in.",{status:401,code:"missing_api_key"})}async function Nt(e,t=Rn.value){let n=I.value;Ne.value="";try{let o=await ls(e).me();if(I.value!==n)return;Y(()=>{re.value=o,Xr(e,t)})}catch(o){let r=o instanceof St||o instanceof TypeError;Mt(o),Ne.value=r?"This key is not valid: it may be mistyped, expired or revoked.":se(o)}}var rs="This animal is not in the store; somebody may have removed it. Look for it again.",us="The service cannot do that just now. Try again in a moment.",mi=new Map([["precondition_failed","It changed meanwhile, and stays as it is now. Look at it before you change it again."],["pet_not_available","Somebody else was faster: this animal is not available now. Choose another one, or wait whether its order is cancelled."],["order_state_conflict","An order on this animal does not allow that. Open the animal: its orders show what can be done."],["pet_not_found",rs],["unknown_pet",rs],["insufficient_scope","This key does not allow that. Ask whoever runs this store for one that does."],["content_too_large","That is too long. Shorten it."],["idempotency_in_progress",us]]),hi=new Map([["name","Type a name: up to 1,024 characters, not only blanks, and none that cannot be seen."],["categoryId","There is no such category: its number is too large. Choose another one."],["status","Choose one of the three."]]);function cs(e){let{code:t="",message:n}=e;if(!/_field$/.test(t))return;let o=[...hi].filter(([r])=>n.includes(`${r}: `));return o.length>0?new Map(o):void 0}var an=e=>e instanceof Ue||e instanceof je;function Mt(e){let t=e instanceof kt;return t&&(sn.value=is.pause),t}var $e=e=>e instanceof we?e.code:void 0;function se(e){if(e instanceof kt)return`This key has made too many requests. Try again in ${Math.ceil((e.retryAfterMs??0)/1e3)} s. What is missing on the page comes by itself.`;if(an(e))return"The service cannot be reached. The page tries again by itself.";if([ut,tn,en].some(n=>e instanceof n))return us;let{message:t}=e;return mi.get($e(e))??`The service did not take that. If it stays so, tell whoever runs this store: “${t}”`}var ln=e=>e instanceof qe&&e.status<500&&e.status!==408&&e.status!==429&&e.code!=="idempotency_in_progress";var N=_([]),D=_([]),xe=_([]),T=_(null),Me=_(null),un=_([]),mt=_(null),Qe=_(new Set),Pe=_(null),ie=_(!1),It=_(!1),pe=_(""),Je=_(null),Ze=_(null),K=_([]),B=_(null),k=_(null),z=_(history.state?.sheet??null),qn=_(null),me=qn;function R(e){let t=qn.peek();qn.value=e,t?.whenGone?.()}var ht=_(null),ae=_(new Set);function ds(e){let t=_(be(ss(e)??"null"));return E(()=>as(e,t.value&&te(t.value))),t}var he=ds("petstore.add"),x=ds("petstore.edit"),ye=$(()=>N.value.at(-1)?.next),yi=$(()=>te(K.value.map(({categoryId:e,label:t,name:n})=>({id:e,label:t,name:n})))),fs=$(()=>be(yi.value)),vi=$(()=>new Map(fs.value.map(({id:e,label:t})=>[e,t]))),G=e=>vi.value.get(e)??`Category ${e}`,ps=$(()=>new Map(fs.value.flatMap(({id:e,name:t})=>t===void 0?[]:[[e,t]]))),pt=$(()=>{let{status:e,category:t,search:n}=v.value;if(n){if(e||ye.value||ie.value||Pe.value)return;let r=N.value.flatMap(({pets:a})=>a),s=a=>r.filter(i=>i.status===a).length;return{available:s("available"),pending:s("pending"),sold:s("sold")}}if(t===void 0||!Je.value)return Je.value??void 0;let o={available:0,pending:0,sold:0};return K.value.find(({categoryId:r})=>r===t)??o}),yt=({available:e,pending:t,sold:n})=>e+t+n,We=$(()=>{let{status:e}=v.value;return pt.value&&(e?pt.value[e]:yt(pt.value))}),Un=$(()=>B.value?.orders.some(({status:e})=>/placed|completed/.test(e))??!1),At=(e,t)=>te(e)===te(t),Ie={count:0};function Ae(e){Ie.count++;let t=o=>o.id===e.id&&!At(o,e),n=o=>o.map(r=>r.id===e.id?e:r);Y(()=>{B.value?.pet?.id===e.id&&(B.value={...B.value,pet:e}),D.value.some(t)&&(D.value=n(D.value)),N.value.some(({pets:o})=>o.some(t))&&(N.value=N.value.map(o=>o.pets.some(t)?{...o,pets:n(o.pets)}:o))})}function cn(e){if(Ie.count++,!k.value)return;let t=k.value.items.map(n=>n.order.id===e.id?{...n,order:e}:n);k.value={...k.value,items:t}}function Se(e,t){I.value!==null&&(an(e)?J.value=!1:R({text:se(e),isError:!0,isWaiting:Mt(e),undo:t}))}function ms(){Y(()=>{qn.value=null,Et(),pe.value=Ne.value="",Je.value=Ze.value=B.value=k.value=null,z.value=re.value=he.value=x.value=null,Me.value?.stop(),T.value=mt.value=null,un.value=N.value=D.value=xe.value=K.value=[],Qe.value=new Set})}var hs={limit:Pt,order:"desc",status:"placed"},gi={limit:Pt,order:"desc"},jo={count:0};async function ys(e){let t=await y().orders.list(e).page(),n=e.status!==void 0,o=n?t.items:t.items.filter(({status:u})=>u!=="placed"),r=[...new Set(o.map(({petId:u})=>u))],s=r.length>0?await y().pets.list({limit:Pt,id:r}).page():{items:[]},a=new Map(s.items.map(u=>[u.id,u]));return{items:o.flatMap(u=>{let f=a.get(u.petId);return f?[{order:u,pet:f}]:[]}),next:t.next?{...e,cursor:t.next}:n?gi:void 0}}var vs=e=>[...new Map(e.map(t=>[t.order.id,t])).values()];async function Wo(e,t){let n=++jo.count,o=Ie.count,{items:r,next:s}=e;try{for(let a=!1;s&&!a;a=r.length>=t){let i=await ys(s);if(n!==jo.count)return;if(o!==Ie.count)return await Wo(e,t);r=vs([...r,...i.items]),s=i.next}return{items:r,next:s}}catch(a){return n===jo.count?{items:r,next:s,failure:a}:void 0}}async function dn(){let e=Math.max(Pt,k.value?.items.length??0);k.value=await Wo({items:[],next:hs},e)??k.value}async function Bo(){k.value&&(k.value=await Wo(k.value,k.value.items.length+1)??k.value)}var Xe=()=>v.value.show==="orders"&&b("orders:read")&&b("pets:read");async function gs(e){if(!Xe()||!k.value)return;let t=k.value.items.filter(({pet:r})=>e.includes(r.id)),[n,...o]=await Promise.all([ys(hs),...t.map(({order:r})=>y().orders.get(r.id))]);for(let r of o)cn(r);k.value={...k.value,items:vs([...k.value.items,...n.items])}}var _i=5,Lt=new Intl.Collator(void 0,{numeric:!0}),bi=1e3,wi=e=>e.normalize("NFKD").replace(/\p{M}/gu,"").toLowerCase(),jn=e=>wi(e).match(/[\p{L}\p{N}]+/gu)??[],_s=e=>/[\p{L}\p{N}]/u.test(e.normalize("NFKD")),$i=(e,t)=>t.some(n=>n===e||e.length>2&&n.startsWith(e));function xi(e){let t=e.split(/\s+/);return[...ps.value].flatMap(([n,o])=>{let r=jn(o),s=t.filter(i=>!jn(i).some(u=>$i(u,r)));if(s.length===t.length)return[];let a=s.join(" ");return{categoryId:n,search:_s(a)?a:void 0,others:r.length+s.length}}).sort((n,o)=>n.others-o.others).slice(0,_i)}var Pi=$(()=>{let{search:e,...t}=He.value;if(e===void 0)return te([He.value]);let n=t.categoryId===void 0?xi(e):[],o=_s(e)?[He.value]:[];return te([...o,...n.map(({categoryId:r,search:s})=>({...t,categoryId:r,search:s}))])}),vt=$(()=>be(Pi.value));async function Si(e){let{search:t,...n}=He.value,o=Mn(t?.replace(/^#/,"")??null);if(o===void 0)return[];let{items:r}=await y().pets.list({...n,id:[o]},e).page();return r}function ki(e,t){let n=jn(t).join(" "),[o=[],r=[]]=[!0,!1].map(s=>e.filter(({name:a})=>jn(a).join(" ")===n===s));return[...o,...r]}async function fn(e,t,n,o){let r=e??{source:0,cursor:void 0},s=e?[]:await Si(n);for(;r;){let a=vt.value[r.source];if(!a)return{pets:s,next:void 0};let{items:i,next:u}=await y().pets.list({...a,...o&&{limit:o},cursor:r.cursor},n).page(),c=r.source+1>=vt.value.length?void 0:{source:r.source+1,cursor:void 0};for(let{id:d}of s)t.add(d);let p=i.filter(({id:d})=>!t.has(d));s.push(...He.value.search?ki(p,He.value.search):p),r=u?{source:r.source,cursor:u}:c;let m=v.value.sort==="name"?bi:1;if(s.length>=m)break}for(let{id:a}of s)t.add(a);return{pets:s,next:r}}var ws=1e3,Oi=150,Le={list:0,counts:0,animal:0},$s=e=>new Set(e.flatMap(({pets:t})=>t.map(({id:n})=>n)));async function xs(e){let t=++Le.list;ie.value=!0,Pe.value=null;try{let n=await fn(e,$s(e?N.value:[]));if(t!==Le.list)return;Y(()=>{ie.value=!1,e||bs(),N.value=[...N.value,n],e||(Dt.value=new Date)})}catch(n){if(t!==Le.list)return;Y(()=>{ie.value=!1,Mt(n),e||bs(),Pe.value=n})}}var Dt=_(null);function bs(){N.value.length>0&&scrollTo(0,0),N.value=D.value=xe.value=[]}var Wn=()=>xs();async function Bn(){ye.value&&!ie.value&&await xs(ye.value)}function Ko(e){let t=e.map(o=>({...o,label:o.name??`Category ${o.categoryId}`})),n=Map.groupBy(t,({label:o})=>o);return t.map(o=>n.get(o.label)?.length===1?o:{...o,label:`${o.label} (${o.categoryId})`}).sort((o,r)=>Lt.compare(o.label,r.label))}async function ve(){let e=++Le.counts,[t,n,o]=await Promise.all([y().inventory(),y().inventoryByCategory().toArray({limit:ws}),y().sales(30)]);e===Le.counts&&Y(()=>{Je.value=t,K.value=Ko(n),Ze.value=o})}async function De(e){let t=++Le.animal,n=Ie.count,o=()=>t===Le.animal&&v.value.pet===e;B.value?.pet?.id!==e&&(B.value=null);try{let[r,s]=await Promise.all([y().pets.get(e),b("orders:read")?y().orders.list({petId:e}).toArray({limit:ws}):[]]);if(!o())return;if(n!==Ie.count)return await De(e);B.value={pet:r,orders:s},Ae(r)}catch(r){if(!o())return;Mt(r),B.value===null||$e(r)==="pet_not_found"?B.value={orders:[],failure:r}:Se(r)}}async function Ci(){let e=D.value;if(e.length===0)return;let t=e.slice(0,oe).map(o=>o.id),{items:n}=await y().pets.list({limit:oe,id:t}).page();D.value===e&&(D.value=[...n.reverse(),...e.slice(oe)])}async function Ti(){let e=Le.list,t=Ie.count,n=[],o;for(;n.length<N.value.length&&(n.length===0||o);){let r=await fn(o,$s(n));if(e!==Le.list)return;if(t!==Ie.count)return await Z();n.push(r),o=r.next}Dt.value=new Date,N.value=n.map((r,s)=>{let a=N.value[s];return a&&At(r,a)?a:r})}async function Z(){if(I.value===null?J.value=!0:re.value||await Nt(I.value),!!b("pets:read")){Pe.value&&(N.value.length===0?Wn():Bn());try{await ve(),Xe()&&await dn(),v.value.pet!==void 0&&await De(v.value.pet),xe.value=[],await Ci(),await Ti()}catch(e){Se(e)}}}function Ps(){Le.list++,ms()}function Kn(){Ps(),Yr()}function Ei(){let e=$(()=>v.value.search??"");E(()=>{let t=e.value;ee(()=>{pe.value.trim()!==t&&(pe.value=t)})}),E(()=>{let t=pe.value.trim();if(t===ee(()=>e.value))return;let n=setTimeout(()=>U({search:t||void 0},!0),t?Oi:0);return()=>clearTimeout(n)})}function Ss(){E(()=>{I.value!==null||!re.value||(Ne.value="This key is no longer valid. Enter another one; nothing you typed is lost.",re.value=null)}),Ei();let e=$(()=>b("pets:read"));E(()=>{e.value&&ee(()=>ve().catch(Se))});let t=$(()=>v.value.sort==="name");E(()=>{t.value,e.value&&vt.value&&ee(Wn)});let n=$(Xe);E(()=>{n.value&&ee(dn)});let o=$(()=>e.value?v.value.pet:void 0);E(()=>{let r=o.value;ee(()=>{r===void 0?B.value=null:De(r)})}),E(()=>{if(J.value)return;let r=setInterval(Z,5e3);return()=>clearInterval(r)}),E(()=>{if(sn.value===0)return;let r=setTimeout(()=>{sn.value=0,me.value?.isWaiting&&R(null),Z()},sn.value);return()=>clearTimeout(r)}),addEventListener("offline",()=>{J.value=!1}),addEventListener("online",Z),document.addEventListener("visibilitychange",()=>document.visibilityState==="visible"&&Z()),E(()=>{let r=I.value;ee(()=>{r!==null&&!re.value&&Nt(r)})}),es(Ps)}var Os=function(e,t,n,o){var r;t[0]=0;for(var s=1;s<t.length;s++){var a=t[s++],i=t[s]?(t[0]|=a?1:2,n[t[s++]]):t[++s];a===3?o[0]=i:a===4?o[1]=Object.assign(o[1]||{},i):a===5?(o[1]=o[1]||{})[t[++s]]=i:a===6?o[1][t[++s]]+=i+"":a?(r=e.apply(i,Os(e,i,n,["",null])),o.push(r),i[0]?t[0]|=2:(t[s-2]=0,t[s]=r)):o.push(i)}return o},ks=new Map;function Cs(e){var t=ks.get(this);return t||(t=new Map,ks.set(this,t)),(t=Os(this,t.get(e)||(t.set(e,t=(function(n){for(var o,r,s=1,a="",i="",u=[0],f=function(m){s===1&&(m||(a=a.replace(/^\s*\n\s*|\s*\n\s*$/g,"")))?u.push(0,m,a):s===3&&(m||a)?(u.push(3,m,a),s=2):s===2&&a==="..."&&m?u.push(4,m,0):s===2&&a&&!m?u.push(5,0,!0,a):s>=5&&((a||!m&&s===5)&&(u.push(s,0,a,r),s=6),m&&(u.push(s,m,0,r),s=6)),a=""},c=0;c<n.length;c++){c&&(s===1&&f(),f(c));for(var p=0;p<n[c].length;p++)o=n[c][p],s===1?o==="<"?(f(),u=[u],s=3):a+=o:s===4?a==="--"&&o===">"?(s=1,a=""):a=o+a[0]:i?o===i?i="":a+=o:o==='"'||o==="'"?i=o:o===">"?(f(),s=1):s&&(o==="="?(s=5,r=a,a=""):o==="/"&&(s<5||n[c][p+1]===">")?(f(),s===3&&(u=u[0]),s=u,(u=u[0]).push(2,0,s),s=0):o===" "||o==="	"||o===`
`||o==="\r"?(f(),s=2):a+=o),s===3&&a==="!--"&&(s=4,u=u[0])}return f(),u})(e)),t),arguments,[])).length>1?t:t[0]}var l=Cs.bind(Sn),M=e=>e.toLocaleString("en"),le=e=>`${M(e)} animal${e===1?"":"s"}`,Rt=2048,ge=e=>({currentTarget:t})=>e(t.value),zn=()=>l`<a class="reference" href="docs">API reference</a>`,Gn=e=>l`<th role="columnheader" scope="col">${e}</th>`,pn=({status:e})=>l`<span class="status ${e}">${e}</span>`,Ni=new Intl.Segmenter;function Jn({pet:e}){let[t]=Ni.segment(e.name.replace(/^[\p{C}\p{Z}]+/u,"").slice(0,32)),n=(Number(BigInt.asUintN(16,e.categoryId))*67+20)%360;return l`<span class="initial" aria-hidden="true" style=${{"--hue":n}}>${t?.segment.toUpperCase()}</span>`}function Ye({of:e,field:t}){let n=ht.value?.of===e&&ht.value.fields.get(t);return n?l`<p role="alert" class="refusal" id="${t}-fault">${n}</p>`:void 0}function ke({title:e,isForm:t,onClose:n,children:o}){let r=j(null),s=j(null),a=j(!1);Q(()=>(r.current?.showModal(),()=>{ht.value=null}),[]),Q(()=>{r.current?.contains(document.activeElement)||s.current?.focus()});let i=f=>{f.preventDefault(),n()},u=({target:f})=>f===r.current;return l`<dialog ref=${r} aria-labelledby="sheet-title" onCancel=${i}
    onMouseDown=${f=>a.current=u(f)}
    onClick=${f=>a.current&&u(f)&&n()}>
    <div class="sheet">
      <div class="head">
        <h2
          id="sheet-title"
          ref=${s}
          dir="auto"
          tabindex=${e.length>99?0:-1}
          autofocus=${!t}
        >
          ${e}
        </h2>
        <button type="button" class="plain" onClick=${n}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Close</span>
        </button>
      </div>
      ${o}
      <${Ft} />
    </div>
  </dialog>`}var Mi=new Intl.DateTimeFormat(void 0,{timeStyle:"short"}),Ts=()=>b("events:read")?It.value&&J.value&&l`<span class="freshness live quiet">Live</span>`:Dt.value!==null&&l`<span class="freshness quiet">
        As of <time datetime=${Dt.value.toISOString()}>${Mi.format(Dt.value)}</time>
        <button type="button" class="plain" onClick=${Z}>Refresh</button>
        <span>Not live: this key lacks <code>events:read</code>.</span>
      </span>`,Ii=8;function Ft(){let e=j(null),{text:t,undo:n,isError:o}=me.value??{};return Q(()=>{if(!t||o||!J.value)return;let r=Ii,s=setInterval(()=>{!e.current?.matches(":hover, :focus-within")&&--r<=0&&R(null)},1e3);return()=>clearInterval(s)},[me.value,J.value]),l`<div class="messages" role="status" ref=${e}>
    ${!J.value&&l`<p class="message offline">
        No connection. ${(he.value?.name||x.value)&&"What you typed is kept. "}
        <button type="button" onClick=${Z}>Try again</button>
      </p>`}
    ${t&&l`<p class="message ${o?"failed":""}"><span dir="auto">${t}</span>
        ${n&&l`<button type="button" aria-keyshortcuts="Control+Z Meta+Z" onClick=${n}>Undo</button>`}
        <button type="button" class="plain" onClick=${()=>R(null)}>
          <span aria-hidden="true">✕</span>
          <span class="hidden">Dismiss</span>
        </button>
      </p>`}
  </div>`}async function _e(e,t,n){if(ae.value.has(e))return!1;ae.value=new Set(ae.value).add(e),R(null),ht.value=null;let o=!navigator.onLine;try{return R(await t()),Vo(),ve().catch(Se),!0}catch(r){zr();let s=Ai(e)&&cs(r);return s?(ht.value={of:e,fields:s},!1):(Se(r,ln(r)?void 0:n),an(r)&&R({text:Di(e,o),isError:!0,undo:n}),ln(r)&&Z(),!1)}finally{ae.value=new Set([...ae.value].filter(r=>r!==e))}}var Ai=e=>/^(?:add|save|name)\b/.test(e),Li={add:["The animal","added"],save:["What you typed","saved"],order:["The order","placed"],move:["The order","changed"],name:["The name","saved"],remove:["The animal","removed"],undo:["It","undone"]};function Di(e,t){let[n,o]=Li[e.replace(/ .*/,"")]??["It","done"];return t&&!navigator.onLine?`${n} was not ${o}. Try again when the connection is back.`:`${n} was perhaps ${o}: no answer came. When the connection is back, the page shows how it is.`}function gt(e,t){let n=()=>_e(`undo ${e}`,t,n);return n}function ne({name:e}){let t=[...e];return l`<bdi>${t.length>40?`${t.slice(0,39).join("")}…`:e}</bdi>`}var Ri=e=>K.value.find(({categoryId:t})=>t===e)?.label,Be=e=>ne({name:e});async function Qn(e){let t=Ko(await y().inventoryByCategory().toArray()),n=t.find(a=>[a.label,a.name??""].some(i=>Ct(i)===Ct(e)));if(n)return n.categoryId;let s=t.map(({categoryId:a})=>a).filter(a=>a<1n<<52n).reduce((a,i)=>i>a?i:a,0n)+BigInt(1+Math.floor(Math.random()*1e6));return await y().categories.put(s,{name:e.trim()}),s}var Es=e=>_e("name new",async()=>{let t=new Set(K.value.map(({categoryId:r})=>r)),n=await Qn(e);if(await ve(),t.has(n))return{text:l`There is a category ${Be(Ri(n)??e)} already.`};let o=gt("name new",async()=>(await y().categories.delete(n),{text:l`The category ${Be(e)} was removed again.`}));return{text:l`The category ${Be(e)} was added.`,undo:o}}),Ns=({categoryId:e,label:t,name:n},o)=>_e(`name ${e}`,async()=>{let r=await y().categories.put(e,{name:o});await ve();let s=gt(`name ${e}`,async()=>(n?await y().categories.put(e,{name:n},{ifMatch:r}):await y().categories.delete(e,{ifMatch:r}),{text:l`${Be(o)} is called ${Be(t)} again.`}));return{text:l`${Be(t)} is called ${Be(o)} now.`,undo:s}}),Ms=({categoryId:e,label:t,name:n=t})=>_e(`name ${e}`,async()=>{await y().categories.delete(e),await ve();let o=gt(`name ${e}`,async()=>(await y().categories.put(e,{name:n}),{text:l`The category ${Be(n)} is back.`}));return{text:l`The category ${Be(n)} was removed.`,undo:o}});async function Is({id:e}){let t=await y().pets.get(e);return{pet:t,etag:As(t)}}var As=e=>y().etag(e)??"",Ls=(e,t)=>_e("add",async()=>{let{name:n,category:o,newCategory:r=""}=e,s=o?BigInt(o):await Qn(r),a=await y().pets.create({name:n,categoryId:s},{idempotencyKey:t});D.value=[a,...D.value];let i=gt("add",async()=>(await y().pets.delete(a.id,{ifMatch:a}),D.value=D.value.filter(({id:u})=>u!==a.id),{text:l`${ne(a)} was removed again.`}));return{text:l`${ne(a)} was added.`,undo:i}});function Ds(e){let t={isKept:!1},n=()=>{Qe.value=new Set([...Qe.value].filter(s=>s!==e.id))},o=()=>{t.isKept=!0,R({text:l`${ne(e)} stays.`})},r=async()=>{if(t.isKept)return n();try{await y().pets.delete(e.id),ve().catch(Se)}catch(s){if($e(s)==="pet_not_found")return;n();let a=$e(s)==="order_state_conflict"?"it stays in the books with its orders.":se(s);R({text:l`${ne(e)} was not removed: ${a}`,isError:!0})}};Qe.value=new Set(Qe.value).add(e.id),lt(),R({text:l`${ne(e)} will be removed when this message goes.`,undo:o,whenGone:r})}var Rs=({id:e})=>_e("edit",async()=>{let{pet:t,etag:n}=await Is({id:e}),o=x.value;if(Ae(t),x.value={before:t,etag:n,name:t.name,category:String(t.categoryId),status:t.status},!o||Object.keys(Vt(o)).length===0)return null;let r=()=>{R(null),x.value=o,U({pet:o.before.id})};return{text:l`What you typed for ${ne(o.before)} was dropped.`,undo:r}});function Vt({before:e,name:t,category:n,status:o}){let r=n?BigInt(n):e.categoryId;return{...t!==e.name&&{name:t},...r!==e.categoryId&&{categoryId:r},...o!==e.status&&!Un.value&&{status:o}}}var Go=(e,t)=>Object.fromEntries(Object.keys(t).map(n=>[n,e[n]])),Jo=()=>_e("save",async()=>{let e=x.value;if(!e)return null;let{before:t}=e;if(!e.category){let s=String(await Qn(e.newCategory??""));e=x.value={...x.value??e,category:s}}let n=Vt(e);if(Object.keys(n).length===0)return x.value=null,null;let o=await Fi(e,n);if(!o)return null;Ae(o),x.value=x.value===e||!x.value?null:{...x.value,before:o,etag:As(o)};let r=gt("save",async()=>{let s=await y().pets.update(t.id,Go(t,n),{ifMatch:o});return Ae(s),{text:l`${ne(s)} is as it was.`}});return{text:l`${ne(o)} was saved.`,undo:r}});async function Fi({before:e,etag:t},n){try{return await y().pets.update(e.id,n,{ifMatch:t})}catch(o){if($e(o)!=="precondition_failed")throw o;let{pet:r,etag:s}=await Is(e);if(Ae(r),await De(e.id),Object.entries(n).every(([a,i])=>r[a]===i))return r;x.value&&(x.value={...x.value,theirs:r,etag:s})}}function Fs(){x.value=null}async function Vs(){let e=x.value;if(!e?.theirs)return;let{name:t,categoryId:n,status:o}={...e.theirs,...Vt(e)},{etag:r,theirs:s}=e;x.value={before:s,etag:r,name:t,category:String(n),status:o},await Jo()}var zo=new WeakMap,Ht=e=>_e(`order ${e.id}`,async()=>{let t=zo.get(e)??Ot();zo.set(e,t);let n=await y().orders.place({petId:e.id},{idempotencyKey:t});return zo.delete(e),k.value&&(k.value={...k.value,items:[{order:n,pet:e},...k.value.items]}),await Qo(e,"pending"),{text:l`${ne(e)} is reserved.`,undo:()=>et(e,n,"cancel")}}),Vi={complete:["sold",e=>l`${ne(e)} is sold.`],cancel:["available",e=>l`The order is cancelled; ${ne(e)} is available again.`],return:["available",e=>l`${ne(e)} was taken back, and is available again.`]},et=(e,t,n)=>_e(`move ${t.id}`,async()=>{let[o,r]=Vi[n];cn(await y().orders[n](t.id)),await Qo(e,o);let s={complete:()=>Hi(e,t),cancel:()=>Ht(e),return:void 0}[n];return{text:r(e),undo:s}}),Hi=(e,t)=>_e(`move ${t.id}`,async()=>(cn(await y().orders.return(t.id)),await Qo(e,"available"),await Ht(e),me.value));function Zn(e,t){confirm(`Take ${e.name} back? Its sale is undone, and it is available again.`)&&et(e,t,"return")}async function Qo(e,t){Ae({...e,status:t}),v.value.pet===e.id&&await De(e.id)}var Hs=e=>e.normalize("NFKD").replace(/\p{M}/gu,"").toLowerCase();function qi(e,t){let n=Hs(t.trim());return n?e.map(r=>({choice:r,at:Hs(r.text).indexOf(n)})).filter(({at:r})=>r>=0).sort((r,s)=>Math.min(r.at,1)-Math.min(s.at,1)).map(({choice:r})=>r):e}function qt({label:e,text:t,choices:n,placeholder:o,required:r,onPick:s,onType:a}){let i=Tr(),u=j(null),[f,c]=X(!1),[p,m]=X(null),[d,g]=X(0),S=f?qi(n,p??""):[];Q(()=>{u.current?.children[d]?.scrollIntoView({block:"nearest"})},[d,f]);let w=()=>{c(!1),m(null)},O=()=>{c(!0),g(Math.max(0,p===null?n.findIndex(q=>q.text===t):0))},h=q=>{q&&s(q.value),w()},C=({currentTarget:{value:q}})=>{m(q),c(!0),g(0),a?.(q)},A=q=>{let Oe={ArrowDown:1,ArrowUp:-1}[q.key];if(Oe&&!f)O();else if(Oe)g((d+Oe+S.length)%Math.max(1,S.length));else if(f&&q.key==="Enter")h(S[d]);else if(f&&q.key==="Escape")w();else return;q.preventDefault(),q.stopPropagation()},nt=f&&S.length>0;return l`<div class="combobox">
    <input
      role="combobox"
      dir="auto"
      aria-label=${e}
      aria-expanded=${nt}
      aria-controls=${i}
      aria-autocomplete="list"
      aria-activedescendant=${nt?`${i}-${d}`:void 0}
      autocomplete="off"
      placeholder=${o}
      required=${r}
      value=${p??t}
      onInput=${C}
      onKeyDown=${A}
      onClick=${O}
      onFocus=${({currentTarget:q})=>q.select()}
      onBlur=${w}
    />
    <ul id=${i} role="listbox" aria-label="${e}: what fits" hidden=${!nt} ref=${u}>
      ${S.map(({value:q,text:Oe,note:Ce},_t)=>l`<li
          key=${q}
          id="${i}-${_t}"
          role="option"
          dir="auto"
          aria-selected=${_t===d}
          onMouseDown=${Te=>Te.preventDefault()}
          onClick=${()=>h(S[_t])}
        >
          ${Oe}${Ce!==void 0&&l` <small>${Ce}</small>`}
        </li>`)}
    </ul>
  </div>`}var mn=()=>K.value.map(e=>({value:String(e.categoryId),text:e.label,note:M(yt(e))}));function Zo({category:e,newCategory:t="",put:n}){let o=r=>{let s=K.value.find(({label:a})=>Ct(a)===Ct(r));n({category:s?String(s.categoryId):"",newCategory:s?"":r})};return l`<div class="field">
    <span aria-hidden="true">Category</span>
    <${qt}
      label="Category"
      placeholder="Choose one, or type a new one"
      required
      text=${e?G(BigInt(e)):t}
      choices=${mn()}
      onPick=${r=>n({category:r,newCategory:""})}
      onType=${o}
    />
    <p class="quiet" role="status">${!e&&t.trim()&&"A new category."}</p>
  </div>`}function qs({onClose:e}){let[t,n]=X("");return l`<${ke} title="Categories" isForm onClose=${e}>
    <form class="fields inline" onSubmit=${async r=>{r.preventDefault(),await Es(t)&&n("")}}>
      <label>
        New category
        <input dir="auto" required maxlength=${Rt} autofocus value=${t} onInput=${ge(n)} />
      </label>
      <button class="primary">Add</button>
      <${Ye} of="name new" field="name" />
    </form>
    <ul class="categories">
      ${K.value.map(r=>l`<${Ui} key=${r.categoryId} category=${r} />`)}
    </ul>
    ${K.value.length>0&&l`<p class="quiet">A category that has no animals can be removed.</p>`}
  <//>`}function Ui({category:e}){let t=yt(e);return l`<li><form onSubmit=${async o=>{o.preventDefault();let r=o.currentTarget,s=String(new FormData(r).get("name"));(s===(e.name??"")||await Ns(e,s))&&r.reset()}}>
    <label><span class="hidden">Name of ${e.label}</span>
      <input
        name="name"
        dir="auto"
        required
        maxlength=${Rt}
        placeholder=${e.label}
        defaultValue=${e.name??""}
      />
    </label>
    <button>Rename<span class="hidden"> ${e.label}</span></button>
    <${Ye} of="name ${e.categoryId}" field="name" />
    <span class="quiet">${le(t)}</span>
    ${t===0&&l`<button type="button" class="plain" onClick=${()=>Ms(e)}>
        Remove<span class="hidden"> ${e.label}</span>
      </button>`}
  </form></li>`}function Us({onClose:e}){let t=j(null),[n]=K.value.length===1?K.value:[],r={name:"",category:String(v.value.category??n?.categoryId??""),...he.value},s=i=>{he.value={name:"",...he.value,...i,attempt:void 0}},a=async i=>{i.preventDefault();let u=r.attempt??Ot(),f=he.value={...r,attempt:u};await Ls(f,u)&&(he.value===f&&(he.value={name:"",category:String(D.value[0]?.categoryId??"")}),t.current?.focus())};return Q(()=>()=>{he.value?.name===""&&(he.value=null)},[]),l`<${ke} title="Add an animal" isForm onClose=${e}>
    <form class="fields" onSubmit=${a}>
      <label>
        Name
        <input
          ref=${t}
          dir="auto"
          required
          maxlength=${Rt}
          autocomplete="off"
          autofocus
          value=${r.name}
          aria-describedby="name-fault"
          onInput=${ge(i=>s({name:i}))}
        />
      </label>
      <${Ye} of="add" field="name" />
      <${Zo} category=${r.category} newCategory=${r.newCategory} put=${s} />
      <${Ye} of="add" field="categoryId" />
      <div class="actions"><button class="primary" disabled=${ae.value.has("add")}>Add</button></div>
      <p class="quiet">Enter adds it and makes ready for the next.</p>
    </form>
  <//>`}var ji=()=>{x.value=null};function Wi(){let e=x.value;e&&!e.newCategory&&!e.theirs&&Object.keys(Vt(e)).length===0&&(x.value=null)}var js=({draft:e,isHeld:t})=>e.theirs?l`<${Gi} draft=${e} theirs=${e.theirs} />`:l`<${Ki} draft=${e} isHeld=${t} />`,Bi=({before:e})=>Yt.filter(t=>t!=="sold"||e.status===t);function Ki({draft:e,isHeld:t}){let n=j(null);Q(()=>(n.current?.focus(),Wi),[]);let o=s=>{x.value={...x.value??e,...s}};return l`<form class="fields" onSubmit=${s=>{s.preventDefault(),Jo()}}>
    <label>
      Name
      <input
        ref=${n}
        dir="auto"
        required
        maxlength=${Rt}
        value=${e.name}
        aria-describedby="name-fault"
        onInput=${ge(s=>o({name:s}))}
      />
    </label>
    <${Ye} of="save" field="name" />
    <${Zo} category=${e.category} newCategory=${e.newCategory} put=${o} />
    <${Ye} of="save" field="categoryId" />
    ${t?l`<p class="quiet">
            Whether it is available, pending or sold follows from its order: complete or cancel the order, or take the
            animal back.
          </p>`:l`<label>Status
      <select value=${e.status} onChange=${ge(s=>o({status:s}))}>
        ${Bi(e).map(s=>l`<option value=${s}>${s}</option>`)}
      </select>
    </label>`}
    <div class="actions">
      <button class="primary" disabled=${ae.value.has("save")}>Save</button>
      <button type="button" onClick=${ji}>Cancel</button>
    </div>
  </form>`}var zi=[{label:"Name",textOf:({name:e})=>e},{label:"Category",textOf:({categoryId:e})=>G(e)},{label:"Status",textOf:({status:e})=>e}];function Gi({draft:e,theirs:t}){let n={...t,...Vt(e)},o=zi.filter(({textOf:s})=>[t,n].some(a=>s(a)!==s(e.before))),r=(s,a)=>l`<section>
    <h4>${s}</h4>
    <dl>
      ${o.map(({label:i,textOf:u})=>l`<div class=${u(t)!==u(n)?"changed":""}>
          <dt>${i}</dt><dd dir="auto">${u(a)}</dd>
        </div>`)}
    </dl>
  </section>`;return l`<div class="conflict" role="alert">
    <h3>It changed meanwhile</h3>
    <p>Somebody else saved this animal while you were editing it. Nothing is lost: choose what it should be.</p>
    <div class="versions">${r("Theirs, as it is now",t)}${r("Yours, on top of it",n)}</div>
    <div class="actions">
      <button type="button" class="primary" disabled=${ae.value.has("save")} onClick=${Vs}>Save yours</button>
      <button type="button" onClick=${Fs}>Keep theirs</button>
    </div>
  </div>`}function Ws(){let{pet:e,orders:t=[],failure:n}=B.value??{},{pet:o}=v.value,r=()=>o!==void 0&&De(o);if(!e){let a=$e(n)==="pet_not_found";return l`<${ke} key="animal" title=${a?"No such animal":n?"Not loaded":"Loading…"} onClose=${lt}>
      ${n&&l`<p>${se(n)}</p>`}
      ${n&&!a&&l`<p><button type="button" onClick=${r}>Try again</button></p>`}
    <//>`}let s=x.value?.before.id===e.id&&b("pets:write")?x.value:void 0;return l`<${ke} key="animal" title=${s?s.before.name:e.name} onClose=${lt}>
    ${s?l`<${js} draft=${s} isHeld=${Un.value} />`:l`<${Ji} pet=${e} orders=${t} />`}
    ${b("orders:read")&&l`<${Xi} orders=${t} />`}
  <//>`}var Bs=({status:e})=>e==="placed";function Ji({pet:e,orders:t}){let n=t.find(Bs),o=t.find(({status:i})=>i==="completed"),r=ae.value.size>0,s=b("orders:write"),a=(i,u,f="")=>l`<button type="button" class=${f} aria-disabled=${r} onClick=${()=>r||u()}>${i}</button>`;return l`<div class="facts">
      <${Jn} pet=${e} />
      <dl>
        <div><dt>Status</dt><dd><${pn} status=${e.status} /></dd></div>
        <div><dt>Category</dt><dd dir="auto">${G(e.categoryId)}</dd></div>
        <div><dt>Number</dt><dd class="digits">${e.id}</dd></div>
        <div><dt>Category number</dt><dd class="digits">${e.categoryId}</dd></div>
      </dl>
    </div>
    <div class="actions">
      ${s&&e.status==="available"&&a("Order",()=>Ht(e),"primary deed order")}
      ${s&&n&&a("Complete the order",()=>et(e,n,"complete"),"primary deed")}
      ${s&&n&&a("Cancel the order",()=>et(e,n,"cancel"),"deed")}
      ${s&&o&&a("Take back",()=>Zn(e,o),"deed")}
      ${b("pets:write")&&a("Edit",()=>Rs(e))}
      ${b("pets:write")&&t.length===0&&a("Remove",()=>Ds(e))}
    </div>
    ${b("pets:write")&&t.length>0&&l`<p class="quiet">It stays in the books with its orders, and cannot be removed.</p>`}
    ${s&&n&&l`<p class="quiet">Completing the order sells the animal.</p>`}`}var Qi=new Intl.DateTimeFormat(void 0,{dateStyle:"medium",timeStyle:"short"}),hn=({at:e})=>l`<time datetime=${e}>${Qi.format(new Date(e))}</time>`,Zi={placed:"Placed",completed:"Completed",cancelled:"Cancelled",returned:"Taken back",expired:"Expired"},Xi=({orders:e})=>l`<section class="timeline" aria-labelledby="orders-title">
  <h3 id="orders-title">Orders</h3>
  ${e.length===0&&l`<p class="quiet">Nobody has ordered it yet.</p>`}
  <ol>
    ${[...e].reverse().map(t=>l`<li key=${t.id} class=${t.status}>
        <strong>Order ${t.id}, ${t.status}</strong>
        <span>Placed <${hn} at=${t.createdAt} /></span>
        ${!Bs(t)&&l`<span>${Zi[t.status]} <${hn} at=${t.updatedAt} /></span>`}
      </li>`)}
  </ol>
</section>`;async function Ut(e,t,n){if(Me.value)return;let o=new AbortController,r=()=>o.abort(),s=0,a=i=>{s+=i,Me.value={title:e,done:s,total:t,stop:r}};R(null),a(0);try{await n(a,o.signal)}catch(i){o.signal.aborted||Se(i)}Me.value=null}var Ks=()=>T.value?.size||We.value;async function*Yi(e){let t=[...T.value??[]];if(t.length===0)return yield*zs(e);let{order:n}=He.value;for(let o=0;o<t.length;o+=oe){let r=t.slice(o,o+oe);yield(await y().pets.list({limit:oe,order:n,id:r},{signal:e}).page()).items}}async function*zs(e){let t=new Set,n;do{let o=await fn(n,t,{signal:e},oe);yield o.pets,n=o.next}while(n)}var Gs=()=>Ut("Selecting",We.value,async(e,t)=>{for await(let n of zs(t))T.value=new Set([...T.value??[],...n.map(({id:o})=>o)]),e(n.length)});async function Xn(e,t){let n=[];for await(let o of Yi(e))n.push(...o),t?.(o.length);return v.value.sort==="name"?n.sort((o,r)=>Lt.compare(o.name,r.name)):n}var el=e=>`"${Kr(e).replaceAll('"','""')}"`;function tl(e){let t=K.value.find(({categoryId:n})=>n===e);return t?.name===t?.label?t?.name??String(e):String(e)}var nl=e=>[["number","name","category","status"],...e.map(({id:t,name:n,categoryId:o,status:r})=>[String(t),n,tl(o),r])].map(t=>`${t.map(el).join()}\r
`).join(""),Js=()=>Ut("Saving",Ks(),async(e,t)=>{let n=await Xn(t,e),o=URL.createObjectURL(new Blob(["\uFEFF",nl(n)],{type:"text/csv"})),r=new Date().toISOString().slice(0,10);Object.assign(document.createElement("a"),{href:o,download:`animals-${r}.csv`}).click(),setTimeout(()=>URL.revokeObjectURL(o),6e4);let s=T.value?.size?" what is selected, shown here or not":"";R({text:`Saved${s}: ${le(n.length)}.`})}),Yn=()=>Ut("Getting ready to print",Ks(),async(e,t)=>{mt.value=await Xn(t,e)});function Qs({pets:e}){return Q(()=>{print(),mt.value=null},[]),l`<table class="printed">
    <caption>${document.title}: ${le(e.length)}</caption>
    <thead>
      <tr>${["Number","Animal","Category","Status"].map(t=>l`<th scope="col">${t}</th>`)}</tr>
    </thead>
    <tbody>
      ${e.map(({id:t,name:n,categoryId:o,status:r})=>l`<tr key=${t}>
          <td>${t}</td>
          <td dir="auto">${n}</td>
          <td dir="auto">${G(o)}</td>
          <td>${r}</td>
        </tr>`)}
    </tbody>
  </table>`}function Zs(){let e=j(null);Or(()=>{let a=document.activeElement;return e.current?.focus(),()=>a instanceof HTMLElement&&a.focus()},[]);let{title:t,done:n,total:o,stop:r}=Me.value??{},s=`${M(n??0)}${o===void 0?"":` of ${M(o)}`}`;return l`<div class="progress"><label>${t}: ${s}<progress value=${o&&n} max=${o} /></label>
    <button type="button" ref=${e} onClick=${r}>Stop</button></div>`}var eo=class extends Error{};async function Xs({id:e},t){let{orders:n}=y(),[o]=(await n.list({petId:e,status:"placed"}).page()).items;if(!o)throw new eo("Nobody has ordered it.");return await n[t](o.id),async()=>{t==="complete"&&await n.return(o.id),await n.place({petId:e})}}async function Xo(e,t){let n=await y().pets.update(e.id,t);return()=>y().pets.update(e.id,Go(e,t),{ifMatch:n})}var Yo=["orders:read","orders:write"],Ys={order:{label:"Order",scopes:Yo,done:()=>"Reserved",run:async({id:e})=>{let t=await y().orders.place({petId:e});return()=>y().orders.cancel(t.id)}},complete:{label:"Complete the orders",scopes:Yo,done:()=>"Sold",run:e=>Xs(e,"complete")},cancel:{label:"Cancel the orders",scopes:Yo,done:()=>"Available again",run:e=>Xs(e,"cancel")},available:{label:"Mark as available",scopes:["pets:write"],done:()=>"Now available",run:e=>Xo(e,{status:"available"})},pending:{label:"Mark as pending",scopes:["pets:write"],done:()=>"Now pending",run:e=>Xo(e,{status:"pending"})},move:{label:"Move to a category",scopes:["pets:write"],done:e=>`Moved to ${G(e)}`,run:(e,t)=>Xo(e,{categoryId:t})},remove:{label:"Remove for good",scopes:["pets:write"],done:()=>"Removed",run:async({id:e})=>{await y().pets.delete(e)}}},ol=3,rl=({label:e,done:t,run:n},o)=>Ut(e,T.value?.size,async(r,s)=>{let a=new Set(T.value),i=[],u=[],f,c=await Xn(s).catch(h=>(f=h,[])),p=new Set(c.map(({id:h})=>h));if(!f)for(let h of a)p.has(h)||a.delete(h);s.aborted&&(f=void 0);let m=a.size,d=async h=>{try{let C=await n(h,o);C&&u.push(C)}catch(C){if(ln(C)||C instanceof eo)i.push({pet:h,why:se(C)});else return void(f=C)}a.delete(h.id),r(1)},g=c.values(),S=async()=>{for(let h of g){if(s.aborted||f)return;await d(h)}};await Promise.all(Array.from({length:ol},S));let w=[`${t(o)}: ${le(m-a.size-i.length)}.`];a.size>0&&w.push(`Not yet: ${M(a.size)}.`),f&&w.push(se(f)),T.value=new Set([...i.map(({pet:h})=>h.id),...a]);let O=u.length>0?()=>sl(u):void 0;R({text:w.join(" "),isError:f!==void 0,undo:O}),i.length>0&&(un.value=i,z.value="refused"),Z()}),sl=e=>Ut("Undo",e.length,async t=>{let n=0;for(let r of e)await r().catch(()=>n++),t(1);let o=n>0?` Changed meanwhile, and left as they are: ${M(n)}.`:"";R({text:`Undone: ${le(e.length-n)}.${o}`,isError:n>0}),Z()}),ea=()=>Object.entries(Ys).filter(([,{scopes:e}])=>e.every(b)),ta=()=>ea().length>0;function na({shown:e}){let[t,n]=X(""),[o,r]=X(""),s=Ys[t],a=T.value?.size??0,i=`Remove ${le(a)} for good? Nobody can bring them back.`,u=m=>{m.preventDefault(),a===0?R({text:"Select some animals first."}):s&&!Me.value&&(t!=="remove"||confirm(i))&&rl(s,BigInt(o||0))},f=a>0&&e.every(m=>T.value?.has(m))&&(a===We.value||!ye.value),c=()=>{f?T.value=new Set:Gs()},p=()=>{T.value=null};return l`<form class="bulk" aria-label="Selection" onSubmit=${u}>
    <p role="status">${M(a)} selected</p>
    <button type="button" onClick=${c}>
      ${f?"Select none":`Select all ${We.value===void 0?"found":M(We.value)}`}
    </button>
    <label><span class="hidden">What to do with them</span>
        <select required value=${t} onChange=${ge(n)}>
          <option value="">Do to all…</option>
          ${ea().map(([m,{label:d}])=>l`<option value=${m}>${d}</option>`)}
        </select></label>
    ${t==="move"&&l`<${qt}
        label="To which category"
        placeholder="To which category"
        required
        text=${o&&G(BigInt(o))}
        choices=${mn()}
        onPick=${r}
      />`}
    <button class="primary">${s?.label.split(" ")[0]??"Do it"}</button>
    <button type="button" class="plain" onClick=${p}>Done</button>
  </form>`}var oa=({onClose:e})=>l`<${ke} title="Not all of them" onClose=${e}>
    <p>${M(un.value.length)} refused, and still selected:</p>
    <ul class="refused">
      ${un.value.map(({pet:t,why:n})=>l`<li key=${t.id}><strong dir="auto">${t.name}</strong> ${n}</li>`)}
    </ul>
  <//>`;var al=[["/","Search"],["↓","From the search to what was found"],["← ↑ → ↓","Go from animal to animal"],["Enter","Open the animal; in the search, the first"],["o","Order the animal"],["n","Add an animal"],["1 2 3","Animals, orders, the report of a day"],["Ctrl P","Print"],["Ctrl Z","Undo what was just done"],["Esc","Close, or clear the search"],["?","This sheet"]],aa=({onClose:e})=>l`<${ke} title="Keyboard" onClose=${e}>
  <dl class="shortcuts">
    ${al.map(([t,n])=>l`<div><dt><kbd>${t}</kbd></dt><dd>${n}</dd></div>`)}
  </dl>
<//>`;function il(e,t,n){let o=u=>e[u]?.closest(".item")?.getBoundingClientRect(),{top:r,left:s}=o(t)??{top:0,left:0},a=t+n;for(;o(a)?.top===r;)a+=n;let i=o(a)?.top;for(;o(a+n)?.top===i&&n*(s-(o(a)?.left??s))>0;)a+=n;return a}var ll={ArrowLeft:-1,ArrowRight:1};function ul(e){let t=[...document.querySelectorAll(".catalogue .name")],n=document.activeElement?.closest(".item")?.querySelector(".name"),o=n?t.indexOf(n):-1,r=ll[e],s=o<0?0:r?o+r:il(t,o,e==="ArrowDown"?1:-1);t[s]?.focus()}var ra=new Map([["1",()=>U({show:void 0,pet:void 0})],["2",()=>b("orders:read")&&U({show:"orders",pet:void 0})]]);function cl(e){let t=document.querySelector(".catalogue .name");if(e==="Escape")pe.value="",document.querySelector("main")?.focus();else if(e==="ArrowDown")t?.focus();else if(e==="Enter")pe.value.trim()===(v.value.search??"")&&!ie.value&&pe.value.trim()&&t?.click();else return!1;return!0}var dl=e=>e instanceof HTMLSelectElement||e instanceof HTMLInputElement&&e.value!=="";function fl(e){let{target:t,key:n}=e,o=e.ctrlKey||e.metaKey;if(o&&n==="p"&&b("pets:read")&&!Xe()&&!document.querySelector("dialog[open]")&&(e.preventDefault(),Yn()),o&&n==="z"&&!e.shiftKey&&!dl(t)&&me.value?.undo&&(e.preventDefault(),me.value.undo()),!re.value||o||e.altKey||!(t instanceof HTMLElement))return;let r=document.querySelector("dialog[open]");if(n==="o"&&!e.repeat&&!/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName)&&(r??t.closest(".item"))?.querySelector(".order")?.click(),!r&&(t.id==="search"&&cl(n)&&e.preventDefault(),!/^(INPUT|SELECT|TEXTAREA)$/.test(t.tagName))){if(n==="/")document.querySelector("#search")?.select();else if(n==="n"&&b("pets:write"))z.value="add";else if(n==="?")z.value="shortcuts";else if(n.startsWith("Arrow"))ul(n);else if(ra.has(n))ra.get(n)?.();else return;e.preventDefault()}}var sa=()=>[...document.querySelectorAll("main .item")];function pl(){let e;addEventListener("focusin",({target:r})=>{if(!(r instanceof HTMLElement))return;if(r.closest("dialog, .messages")){e??={element:null,id:void 0,at:-1};return}let s=r.closest(".item");e={element:r,id:s?.dataset.id,at:s?sa().indexOf(s):-1}}),addEventListener("pointerdown",({target:r})=>{r instanceof Element&&!r.closest("a, button, label, input, select, dialog, [tabindex]")&&(e=void 0)});let t=()=>{if(n=!1,!e||document.activeElement!==document.body||document.querySelector("dialog[open]"))return;let{element:r,id:s,at:a}=e,i=sa(),u=i.find(({dataset:c})=>s&&c.id===s)??i[Math.min(a,i.length-1)],f=r?.isConnected?r:u?.querySelector(".name")??document.querySelector("main [autofocus]")??document.querySelector("main");f instanceof HTMLElement&&f.focus({preventScroll:!0})},n=!1,o=()=>{n||setTimeout(t),n=!0};new MutationObserver(o).observe(document.body,{childList:!0,subtree:!0})}function ia(){pl(),addEventListener("keydown",fl),Gr()}function la(e,t,n){let o=_(de?.getItem(e)===n?n:t);return E(()=>{o.value===t?de?.removeItem(e):de?.setItem(e,o.value)}),o}var jt=la("petstore.view","table","cards"),yn=la("petstore.figures","folded","open");var vn=48,gn=10,ml=new Intl.DateTimeFormat(void 0,{day:"numeric",month:"short",timeZone:"UTC"}),Wt=({day:e})=>ml.format(new Date(e)),to=(e,t)=>e.reduce((n,o)=>n+o[t],0),er=(...e)=>{let t=to(e,"returned");return t>0?`, ${M(t)} returned`:""};function ua(){let e=yn.value==="open",t=()=>{yn.value=e?"folded":"open"},n=Ze.value??[],o=Ze.value&&`${M(to(n,"added"))} added, ${M(to(n,"sold"))} sold`;return l`<button type="button" class="plain figures" aria-expanded=${e} onClick=${t}>
    <span class="wide">30 days: ${o??"–"}${er(...n)}</span><span class="narrow">30 days</span>
  </button>`}function hl(e){let t=({added:r,sold:s})=>Math.max(r,s),[n,o]=e.toSorted((r,s)=>t(s)-t(r));return!n||!o||t(o)===0||t(n)<5*t(o)?{most:Math.max(1,n?t(n):0),beyond:void 0}:{most:1.25*t(o),beyond:n}}function ca(){let[e,t]=X(null),n=Ze.value??[],o=n.length-1,r=n[e??o],s=e!==null&&r?[r]:n,a=c=>Ze.value?M(to(s,c)):"–",{most:i,beyond:u}=hl(n);return l`<figure class="chart">
    <div class="plot" onPointerMove=${({clientX:c,currentTarget:p})=>{let{left:m,width:d}=p.getBoundingClientRect();t(Math.max(0,Math.min(o,Math.floor((c-m)/d*n.length))))}} onPointerLeave=${()=>t(null)}>
      <${yl} days=${n} at=${e} most=${i} />
      ${r&&l`<input
          type="range"
          aria-label="Day"
          aria-valuetext="${Wt(r)}: ${r.added} added, ${r.sold} sold${er(r)}"
          min="0"
          max=${o}
          value=${e??o}
          onInput=${ge(c=>t(Number(c)))}
          onFocus=${()=>t(e??o)}
          onBlur=${()=>t(null)}
        />`}
    </div>
    <p class="dates" aria-hidden="true">
      <span>${n[0]&&Wt(n[0])}</span>
      <span>${n[o]&&Wt(n[o])}</span>
    </p>
    <figcaption>
      <strong>${e!==null&&r?Wt(r):`In ${n.length||30} days`}</strong>${" "}
      <i class="added" />${a("added")} added <i />${a("sold")} sold${er(...s)}
      ${u&&e===null&&l`<span class="beyond">
          ${Wt(u)} is beyond the scale: ${M(u.added)} added, ${M(u.sold)} sold
        </span>`}
    </figcaption>
    <div class="hidden"><${vl} days=${n} /></div>
  </figure>`}function yl({days:e,at:t,most:n}){let o=(r,s,a)=>{let i=r>0?Math.min(vn,Math.max(2,r/n*vn)):0;return l`<rect class=${a} x=${s} y=${vn-i} width="4" height=${i} rx="1" />`};return l`<svg viewBox="0 0 ${30*gn} ${vn}" preserveAspectRatio="none" aria-hidden="true">
    ${t!==null&&l`<rect class="day" x=${t*gn-.75} width=${gn} height=${vn} rx="1" />`}
    ${e.map(({day:r,added:s,sold:a},i)=>l`<g key=${r}>
        ${o(s,i*gn,"added")}
        ${o(a,i*gn+4.5,"bar")}
      </g>`)}
  </svg>`}var vl=({days:e})=>l`<table>
  <caption>Animals added, sold and returned on each of the last 30 days</caption>
  <thead>
    <tr>
      <th scope="col">Day</th>
      <th scope="col">Added</th>
      <th scope="col">Sold</th>
      <th scope="col">Returned</th>
    </tr>
  </thead>
  <tbody>
    ${e.map(t=>l`<tr key=${t.day}>
        <th scope="row">${Wt(t)}</th>
        <td>${t.added}</td>
        <td>${t.sold}</td>
        <td>${t.returned}</td>
      </tr>`)}
  </tbody>
</table>`;var gl=$(()=>{let e=Ve({pet:void 0});return`${e}${e.includes("?")?"&":"?"}pet=`});function _l(e){let t=e.length>24?e.indexOf(" ",e.length-16):-1;return Math.max(0,t)}function da({id:e,name:t}){let n=_l(t);return l`<a class="name" dir="auto" href=${gl.value+e}>${n?l`<span>${t.slice(0,n)}</span><span class="tail">${t.slice(n)}</span>`:l`<span>${t}</span>`}</a>`}var fa=({status:e,name:t})=>e==="available"&&b("orders:write")&&l`<button type="button" class="order deed">Order<span class="hidden"> <bdi>${t}</bdi></span></button>`,pa=({name:e},t)=>l`<label class="pick">
    <input type="checkbox" checked=${t} />
    <span class="hidden">Select <bdi>${e}</bdi></span>
  </label>`,bl=(e,t)=>l`<div class="card item" role="listitem" key=${e.id} data-id=${e.id}>
  ${t&&pa(e,t.has(String(e.id)))}${Jn({pet:e})}
  <div class="what">${da(e)}
    <span class="category" dir="auto">${G(e.categoryId)}</span></div>
  ${pn(e)}<span class="id">${e.id}</span>${fa(e)}
</div>`,wl=(e,t)=>l`<tr class="row item" role="row" key=${e.id} data-id=${e.id}>
  ${t&&l`<td role="cell">${pa(e,t.has(String(e.id)))}</td>`}
  <td role="cell" class="id">${e.id}</td>
  <td role="cell">${da(e)}</td>
  <td role="cell" class="category" dir="auto">${G(e.categoryId)}</td>
  <td role="cell">${pn(e)}</td>
  <td role="cell" class="do">${fa(e)}</td>
</tr>`;function ma({pets:e,isTable:t}){let n=Vr(()=>T.value===null?void 0:e.flatMap(({id:u})=>T.value?.has(u)?u:[]).join()).value,o=n===void 0?void 0:new Set(n.split(",")),r=u=>{let f=u instanceof Element&&u.closest(".item")?.dataset.id;return e.find(c=>String(c.id)===f)},s=({target:u})=>{let f=r(u)?.id;if(f===void 0||!T.value||!(u instanceof HTMLInputElement))return;let c=[...T.value].filter(p=>p!==f);T.value=new Set(u.checked?[...c,f]:c)},a=u=>{let{target:f}=u,c=r(f);!c||!(f instanceof HTMLElement)||(f.closest(".order")&&Ht(c),!(!f.closest(".name")||u.metaKey||u.ctrlKey||u.shiftKey)&&(u.preventDefault(),U({pet:c.id})))},i={"--count":e.length};return t?l`<tbody class="chunk" role="rowgroup" style=${i} onClick=${a} onChange=${s}>
        ${e.map(u=>wl(u,o))}
      </tbody>`:l`<div class="cards chunk" style=${i} onClick=${a} onChange=${s}>
        ${e.map(u=>bl(u,o))}
      </div>`}var $l=$(()=>{let e=new Set(D.value.map(({id:s})=>s)),t=s=>a=>a.some(s)?a.filter(i=>!s(i)):a,n=({id:s})=>Qe.value.has(s),o=({id:s})=>e.has(s),r=[D.value,...N.value.map(({pets:s})=>s).map(t(o))].map(t(n));return v.value.sort!=="name"?r:[r.flat().sort((s,a)=>Lt.compare(s.name,a.name))]});function ha(e,t,n){let{sort:o}=v.value,r=t.includes(o),s=t[(t.indexOf(o)+1)%t.length];return l`<th role="columnheader" scope="col" aria-sort=${r?o===void 0?"descending":"ascending":void 0}>
    <button type="button" class="sort" onClick=${()=>U({sort:s})}>
      ${e}<span aria-hidden="true">${r&&n}</span>
    </button>
  </th>`}function xl({lists:e}){let t=jt.value==="table",n=e.map((r,s)=>r.length>0&&l`<${ma} key=${s} pets=${r} isTable=${t} />`),o=v.value.sort===void 0?" ↓":" ↑";return t?l`<table role="table"><thead role="rowgroup"><tr role="row">
        ${T.value&&l`<td role="cell"></td>`}
        ${ha("Number",[void 0,"oldest"],o)}${ha("Animal",["name"],o)}
        ${["Category","Status"].map(Gn)}
        <td role="cell" class="do"></td>
      </tr></thead>${n}</table>`:l`<div role="list">${n}</div>`}function ya(){let e=$l.value,t=e.flat().map(({id:o})=>o),n=T.value!==null;return l`<section
    class="catalogue ${n?"selecting":""}"
    aria-label="Animals"
    aria-busy=${ie.value}
  >
    <div class="found">
      <p role="status">${Pl(t.length)}</p>
      ${Sl()&&l`<button type="button" class="plain" onClick=${va}>Clear</button>`}
      <${kl} /><${Ts} /><${ua} />
    </div>
    ${yn.value==="open"&&l`<${ca} />`}
    ${Me.value&&l`<${Zs} />`}
    ${t.length===0&&!ie.value&&!Pe.value&&!ye.value&&l`<${Ol} />`}
    ${t.length===0&&ie.value&&l`<ul class=${jt.value} aria-hidden="true">
        ${Array.from({length:8},()=>l`<li class="card blank" />`)}
      </ul>`}
    ${n&&l`<${na} shown=${t} />`}
    ${t.length>0&&l`<${xl} lists=${e} />`}
    ${Pe.value&&l`<${Cl} />`}
    ${ye.value&&!Pe.value&&l`<${nr} at=${N.value.length} />`}
    ${mt.value&&l`<${Qs} pets=${mt.value} />`}
  </section>`}function Pl(e){let{search:t,sort:n}=v.value,o=We.value;if(Pe.value&&e===0)return J.value?"":"Offline";if(ie.value&&e===0)return"Loading…";if(!ye.value)return e===0&&!t?"":`${le(e)}${t?" found":""}`;let r=o===void 0?`${le(e)} shown, more to come`:`${M(e)} of ${le(o)}`;return n==="name"?`${r}, by name among those`:r}var tr={status:void 0,category:void 0,search:void 0},va=()=>U(tr),Sl=()=>Object.keys(tr).some(e=>v.value[e]!==void 0);function kl(){let e=xe.value.filter(({id:n})=>D.value.every(o=>o.id!==n)),t=()=>{D.value=[...e,...D.value],xe.value=[]};return e.length>0&&l`<button type="button" onClick=${t}>Show ${M(e.length)} new</button>`}function Ol(){let{status:e,category:t,search:n}=v.value,o=e!==void 0||t!==void 0;return!o&&!n?l`<div class="notice">
      <h2>No animals yet</h2>
      ${b("pets:write")&&l`<p>The first one is a name and a category away.</p>
          <p>
            <button type="button" class="primary" onClick=${()=>z.value="add"}>Add an animal</button>
          </p>`}
    </div>`:l`<div class="notice">
    <h2>Nothing matches</h2>
    ${n&&l`<p>A search finds how words begin, in names of animals and of categories, or a number.</p>`}
    <p class="actions">
      ${n&&o&&l`<button type="button" onClick=${()=>U({...tr,search:n})}>Search all animals</button>`}
      <button type="button" onClick=${va}>Show all animals</button>
    </p>
  </div>`}var Cl=()=>l`<div class="notice" role="alert">
  <h2>The animals could not be loaded</h2>
  <p>${se(Pe.value)}</p>
  <p><button type="button" onClick=${()=>N.value.length>0?Bn():Wn()}>Try again</button></p>
</div>`;function nr({at:e,onMore:t=Bn}){let n=j(null);return Q(()=>{if(!n.current)return;let o=new IntersectionObserver(([r])=>r?.isIntersecting&&t(),{rootMargin:"600px"});return o.observe(n.current),()=>o.disconnect()},[e]),l`<p class="more" ref=${n}><button type="button" onClick=${t}>Show more</button></p>`}var ga=300,_a=6e4;function Tl(e){let t=new Set,n=!1;async function o(){if(!n){n=!0;try{for(let r=ga;;){await nn(r,e);let s=[...t];t.clear();try{if(await(s.length>oe?Z():Promise.all([ve(),El(s),gs(s)])),t.size===0)break;r=ga}catch{for(let a of s)t.add(a);r=_a}}}catch{}n=!1}}return r=>{r!==void 0&&t.add(r),o()}}async function El(e){let t=new Map([...N.value.flatMap(({pets:a})=>a),...D.value].map(a=>[a.id,a]));await Nl(e.filter(a=>!t.has(a)));let n=e.filter(a=>t.has(a)||B.value?.pet?.id===a);if(n.length===0)return;let{items:o}=await y().pets.list({limit:oe,id:n}).page(),r=new Map(o.map(a=>[a.id,a])),s=B.value?.pet;for(let a of n){let i=t.get(a);if(!i)continue;let u=r.get(a)??{...i,status:"removed"};At(u,i)||Ae(u)}s&&n.includes(s.id)&&await Ml(s,r.get(s.id))}async function Nl(e){let t=vt.value,n=v.value.sort!=="oldest",o=()=>n||!ye.value,r=[...xe.value,...(n?N.value[0]:N.value.at(-1))?.pets??[]],s=e.filter(f=>r.every(c=>c.id<f));if(s.length===0||!o())return;let a=await Promise.all(t.map(f=>y().pets.list({...f,limit:oe,id:s}).page())),i=[...new Map(a.flatMap(f=>f.items.map(c=>[c.id,c]))).values()],u=N.value.at(-1);i.length===0||vt.value!==t||!o()||!u||(n?xe.value=[...i,...xe.value]:N.value=[...N.value.slice(0,-1),{...u,pets:[...u.pets,...i]}])}async function Ml(e,t){let n=x.value?.before.id===e.id;(t||!n)&&await De(e.id),!(At(t,e)||ae.value.size>0||me.value?.undo)&&R({text:`Somebody else has ${t?"changed":"removed"} this animal.`})}async function Il(e){let t=Tl(e);for(;!e.aborted;)try{let{next:n}=await y().events.list({limit:1,from:"now"},{signal:e}).page();await Z(),It.value=!0;for await(let{type:o,data:r}of y().events.follow({cursor:n},{signal:e}))t(o.startsWith("category.")?void 0:"petId"in r?r.petId:r.id)}catch(n){It.value=!1,$e(n)!=="events_expired"&&await nn(_a,e).catch(()=>{})}}function ba(){let e=_(document.visibilityState==="visible");document.addEventListener("visibilitychange",()=>{e.value=document.visibilityState==="visible"});let t=$(()=>b("pets:read")&&b("events:read")&&e.value&&J.value);E(()=>{if(!t.value)return;let n=new AbortController;return ee(()=>Il(n.signal)),()=>{It.value=!1,n.abort()}})}var wa=e=>t=>{t.metaKey||t.ctrlKey||t.shiftKey||(t.preventDefault(),e())};function $a(){let e=(t,n)=>{let o={show:t,pet:void 0};return l`<a
      href=${Ve(o)}
      aria-current=${v.value.show===t?"page":void 0}
      onClick=${wa(()=>U(o))}
    >
      ${n}
    </a>`};return l`<nav class="tabs" aria-label="Show">${e(void 0,"Animals")}${e("orders","Orders")}</nav>`}var Al=["Animal","Status","Placed","Done","Number"];function xa(){let{items:e=[],next:t,failure:n}=k.value??{},o=`${M(e.length)} order${e.length===1?"":"s"}${t?" loaded so far":""}`;return l`<section class="catalogue orders" aria-label="Orders" aria-busy=${!k.value}>
    <div class="found"><p role="status">${k.value?e.length>0&&o:"Loading…"}</p></div>
    ${e.length>0&&l`<div><table role="table">
        <thead role="rowgroup"><tr role="row">
          ${Al.map(Gn)}
          <td role="cell"></td>
        </tr></thead>
        <tbody role="rowgroup">${e.map(r=>l`<${Ll} key=${r.order.id} ...${r} />`)}</tbody>
      </table></div>`}
    ${n?l`<div class="notice" role="alert">
            <h2>The orders could not be loaded</h2>
            <p>${se(n)}</p>
            <p>
              <button type="button" onClick=${e.length>0?Bo:dn}>Try again</button>
            </p>
          </div>`:k.value&&e.length===0&&l`<div class="notice">
            <h2>No orders yet</h2>
            <p>An order is placed on an animal: press Order there.</p>
          </div>`}
    ${t&&!n&&l`<${nr} at=${e.length} onMore=${Bo} />`}
  </section>`}function Ll({order:e,pet:t}){let{id:n,status:o,createdAt:r,updatedAt:s}=e,a={pet:t.id},i=(u,f)=>l`<button
      type="button"
      class="deed"
      aria-label="${f} order ${n}, ${t.name}"
      onClick=${u}
    >
      ${f}
    </button>`;return l`<tr class="row item" role="row" data-id=${n}>
    <td role="cell"><a class="name" href=${Ve(a)} onClick=${wa(()=>U(a))}><bdi>${t.name}</bdi></a></td>
    <td role="cell"><span class="status ${o}">${o}</span></td>
    <td role="cell"><span class="on">Placed </span><${hn} at=${r} /></td>
    <td role="cell">${o!=="placed"&&l`<span class="on">Done </span><${hn} at=${s} />`}</td>
    <td role="cell" class="id">${n}</td>
    <td role="cell" class="do">
      ${b("orders:write")&&o==="placed"&&i(()=>et(t,e,"complete"),"Complete")}
      ${b("orders:write")&&o==="placed"&&i(()=>et(t,e,"cancel"),"Cancel")}
      ${b("orders:write")&&o==="completed"&&i(()=>Zn(t,e),"Take back")}
    </td>
  </tr>`}var Pa=()=>I.value===null?l`<${Dl} />`:l`<${Rl} apiKey=${I.value} />`;function Dl(){let[e,t]=X(!1);return l`<main class="signin">
    <form class="fields" onSubmit=${async o=>{o.preventDefault(),t(!0);let r=new FormData(o.currentTarget);await Nt(String(r.get("key")).trim(),r.has("remember")),t(!1)}}>
      <img src="shop/favicon.svg" alt="" width="64" height="64" />
      <h1>Pet Store</h1>
      <p>Sign in with your API key. Whoever runs this store gives out the keys, one to each person.</p>
      <p role="alert" class="refusal">${Ne.value}</p>
      <label>
        API key
        <input
          name="key"
          type="password"
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck=${!1}
          maxlength="200"
          autofocus
        />
      </label>
      <label class="remember">
        <input name="remember" type="checkbox" aria-describedby="remember-note" />
        Remember it on this device
      </label>
      <p id="remember-note" class="quiet">
        Then whoever uses this browser is signed in, until somebody signs out. Otherwise it is forgotten when the last
        tab is closed.
      </p>
      <button class="primary" disabled=${e}>Sign in</button>
      <${zn} />
    </form>
    <${Ft} />
  </main>`}var Rl=({apiKey:e})=>l`<main class="signin">
  <div class="notice" role="status"><p>${Ne.value||"Signing in…"}</p>${Ne.value&&l`<p class="actions">
      <button type="button" class="primary" onClick=${()=>Nt(e)}>Try again</button>
      <button type="button" onClick=${Kn}>Use another key</button>
    </p>`}</div>
  <${Ft} />
</main>`;var Sa=yr(()=>{});function ka({label:e,children:t}){let[n,o]=X(!1),r=j(null),s=j(null),a=()=>{s.current?.focus(),o(!1)};return Q(()=>{if(!n)return;let u=({target:c})=>r.current?.contains(c)||o(!1),f=["pointerdown","focusin"];for(let c of f)addEventListener(c,u);return()=>{for(let c of f)removeEventListener(c,u)}},[n]),l`<div class="menu" ref=${r} onKeyDown=${u=>{let f=[...r.current?.querySelectorAll("button")??[]],c={ArrowDown:1,ArrowUp:-1}[u.key];if(c&&n){let p=f.indexOf(document.activeElement);f[(p+c+f.length)%f.length]?.focus()}else if(u.key==="Escape"&&n)a();else return;u.preventDefault(),u.stopPropagation()}}>
    <button
      type="button"
      ref=${s}
      aria-expanded=${n}
      onClick=${()=>o(!n)}
    >
      <span aria-hidden="true">⋯</span><span class="hidden">${e}</span>
    </button>
    ${n&&l`<${Sa.Provider} value=${a}><div class="items">${t}</div><//>`}
  </div>`}function tt({isOn:e,onPick:t,children:n}){let o=Cr(Sa);return l`<button type="button" class="plain" aria-pressed=${e} onClick=${()=>{o(),t()}}>${n}</button>`}var or=e=>()=>{z.value=e};function Oa(){let{category:e}=v.value,t=o=>{pe.value=o},n={value:"",text:"All categories",note:Je.value?M(yt(Je.value)):void 0};return l`<div class="toolbar">
    <label class="search"><span class="hidden">Search all animals</span>
      <input
        id="search"
        type="search"
        placeholder="Search by name, category or number"
        aria-keyshortcuts="/"
        maxlength=${wo}
        autocomplete="off"
        value=${pe.value}
        onInput=${ge(t)}
      />
    </label>
    <${Fl} />
    <${qt}
      label="Category"
      text=${e===void 0?n.text:G(e)}
      choices=${[n,...mn()]}
      onPick=${o=>U({category:o?BigInt(o):void 0})}
    />
    ${b("pets:write")&&l`<button type="button" class="primary add" onClick=${or("add")}>
        <span aria-hidden="true">+</span> Add
      </button>`}
    <${Hl} />
  </div>`}function Fl(){let{status:e}=v.value,t=(n,o,r)=>l`<button type="button" aria-pressed=${e===n} onClick=${()=>U({status:n})}>
      ${o}${r!==void 0&&l` <span class="count">${M(r)}</span>`}
    </button>`;return l`<div class="statuses" role="group" aria-label="Status">
    ${t(void 0,"All",pt.value&&yt(pt.value))}
    ${Yt.map(n=>t(n,n[0]?.toUpperCase()+n.slice(1),pt.value?.[n]))}
  </div>`}var Vl=()=>{T.value=T.value?null:new Set};function Hl(){let{sort:e}=v.value,t=(o,r)=>l`<${tt} isOn=${e===o} onPick=${()=>U({sort:o})}>${r}<//>`,n=(o,r)=>l`<${tt} isOn=${jt.value===o} onPick=${()=>jt.value=o}>${r}<//>`;return l`<${ka} label="Menu">
    ${ta()&&l`<${tt} isOn=${T.value!==null} onPick=${Vl}>Select<//>`}
    <${tt} onPick=${Js}>Save as CSV<//>
    <${tt} onPick=${Yn}>Print<//>
    ${b("pets:write")&&l`<${tt} onPick=${or("categories")}>Categories<//>`}
    <hr />
    ${n("table","Table")}${n("cards","Cards")}
    <hr />
    ${t(void 0,"Newest first")}${t("oldest","Oldest first")}${t("name","By name")}
    <hr />
    <${tt} onPick=${or("shortcuts")}>Keyboard shortcuts<//>
  <//>`}var ql={add:Us,categories:qs,shortcuts:aa,refused:oa};function Ul(){E(()=>{let e=z.value&&{sheet:z.value};e?.sheet!==history.state?.sheet&&(e?history.pushState(e,""):history.replaceState(null,""))}),addEventListener("popstate",()=>{z.value=history.state?.sheet??null})}function jl(){return Xe()?l`<${xa} />`:b("pets:read")?l`<${Oa} /><${ya} />`:l`<div class="notice">
    <h2>This key may not see the animals</h2>
    <p>It needs the scope <code>pets:read</code>. Ask for another key, and sign in with it.</p>
  </div>`}function Wl(){if(!re.value)return l`<${Pa} />`;let e=z.value&&(z.value==="shortcuts"||z.value==="refused"||b("pets:write"))&&ql[z.value],t=e||v.value.pet!==void 0;return l`<header class="masthead">
      <h1 class="brand"><img src="shop/favicon.svg" alt="" width="32" height="32" />Pet Store</h1>
      ${b("pets:read")&&b("orders:read")&&l`<${$a} />`}
      <p class="who">
        <${zn} />
        <span dir="auto">${re.value.name}</span>
        <button type="button" class="plain" onClick=${Kn}>Sign out</button>
      </p>
    </header>
    <main tabindex="-1">${jl()}</main>
    ${e?l`<${e} onClose=${lt} />`:t&&b("pets:read")&&l`<${Ws} />`}
    ${!t&&l`<${Ft} />`}`}E(()=>{let{status:e,category:t,show:n}=v.value,o=t!==void 0&&G(t),r=n?["Orders"]:[o,e];document.title=[B.value?.pet?.name,...r,"Pet Store"].filter(Boolean).join(" · ")});ia();Ul();Ss();ba();hr(l`<${Wl} />`,document.getElementById("shop"));
